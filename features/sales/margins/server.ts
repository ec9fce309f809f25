import { serve } from '#server/serve.ts'
import { margins as contract } from './contract.ts'
import { listMargins } from './server-margins.ts'
import { listPrices, setPrice } from './server-prices.ts'

export const marginsRouter = serve(contract, { orders: listMargins, prices: listPrices, setPrice })
