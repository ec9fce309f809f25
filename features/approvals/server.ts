import { serve } from '#server/serve.ts'
import { approvals as contract } from './contract.ts'
import { approve, reject } from './server-decide.ts'
import { request, withdraw } from './server-request.ts'
import { listOf, listReasons, ofShop } from './server-rows.ts'

export const approvalsRouter = serve(contract, {
  signatures: listOf('signature'),
  shopNames: listOf('shopName'),
  memberTitles: listOf('memberTitle'),
  ofShop,
  reasons: listReasons,
  request,
  withdraw,
  approve,
  reject,
})
