import { serve } from '#server/serve.ts'
import { services as contract } from './contract.ts'
import { buyServices, ofMerchant } from './server-buy.ts'
import { listServiceOrders, serviceOptions } from './server-list.ts'

export const servicesRouter = serve(contract, {
  ofMerchant,
  buy: buyServices,
  orders: listServiceOrders,
  options: serviceOptions,
})
