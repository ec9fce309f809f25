import { serve } from '#server/serve.ts'
import { aftersales as contract } from './contract.ts'
import { listActions } from './server-actions.ts'
import { cancelOrder, cancelPreview, findForCancel } from './server-cancel.ts'
import { associate, dissolve, findChain } from './server-chain.ts'
import { extendShop, findForExtend } from './server-extend.ts'
import { findForMove, listProviders, movePreview, moveShop } from './server-provider.ts'
import { adjustVersion, findForVersion } from './server-version.ts'

export const aftersalesRouter = serve(contract, {
  cancelFind: findForCancel,
  cancelPreview,
  cancel: cancelOrder,
  cancelActions: listActions(['cancel']),
  chainFind: findChain,
  associate,
  dissolve,
  chainActions: listActions(['associate', 'dissolve']),
  providerFind: findForMove,
  providers: listProviders,
  movePreview,
  move: moveShop,
  versionFind: findForVersion,
  adjustVersion,
  adjustActions: listActions(['provider', 'version']),
  extendFind: findForExtend,
  extend: extendShop,
  extendActions: listActions(['extend']),
})
