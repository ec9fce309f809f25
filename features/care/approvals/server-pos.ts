import { keepShopPicture } from '#features/shops/pos-changes/server-pictures.ts'
import { serve } from '#server/serve.ts'
import { approvalsAtPos as contract } from './contract-pos.ts'
import { APPROVAL_PICTURE } from './rules.ts'
import { APPROVAL_FILES, requestApproval, withdraw } from './server-request.ts'
import { ofShop } from './server-rows.ts'

export const approvalsPosRouter = serve(contract, {
  requests: async (ctx, { id }) => ({ requests: (await ofShop(ctx, { merchantId: id })).rows }),
  keepPicture: (ctx, picture) =>
    keepShopPicture(ctx, picture, { purposes: APPROVAL_FILES, purpose: APPROVAL_PICTURE }),
  submitRequest: (ctx, { id, kind, content, ...more }) => requestApproval(ctx, kind, id, content, more),
  withdrawRequest: withdraw,
})
