import { serve } from '#server/serve.ts'
import { approvals as contract } from './contract.ts'
import { approve, reject } from './server-decide.ts'
import { request, withdraw } from './server-request.ts'
import { listOf, listReasons, ofShop, waitingSignatures } from './server-rows.ts'
import { askService, atServices, handInAgain } from './server-settle.ts'

export const approvalsRouter = serve(contract, {
  signatures: listOf('signature'),
  shopNames: listOf('shopName'),
  memberTitles: listOf('memberTitle'),
  ofShop,
  waitingSignatures,
  reasons: listReasons,
  request,
  withdraw,
  approve,
  reject,
  atServices,
  askService,
  handInAgain,
})
