import { serve } from '#server/serve.ts'
import { documents as contract } from './contract.ts'
import { keep, setExpiry } from './server-keep.ts'
import { ofShop } from './server-look.ts'

export const documentsRouter = serve(contract, { ofShop, keep, setExpiry })
