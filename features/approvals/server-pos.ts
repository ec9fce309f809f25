import { serve } from '#server/serve.ts'
import { approvalsAtPos as contract } from './contract-pos.ts'
import { requestApproval, withdraw } from './server-request.ts'
import { ofShop } from './server-rows.ts'

export const approvalsPosRouter = serve(contract, {
  requests: async (ctx, { id }) => ({ requests: (await ofShop(ctx, { merchantId: id })).rows }),
  submitRequest: (ctx, { id, kind, content, note }) => requestApproval(ctx, kind, id, content, { note }),
  withdrawRequest: withdraw,
})
