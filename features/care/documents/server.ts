import { serve } from '#server/serve.ts'
import { documents as contract } from './contract.ts'
import { erase } from './server-erase.ts'
import { keep, setExpiry } from './server-keep.ts'
import { listDocuments } from './server-list.ts'
import { ofShop } from './server-look.ts'

export const documentsRouter = serve(contract, { ofShop, list: listDocuments, keep, setExpiry, erase })
