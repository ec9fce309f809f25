import { serve } from '#server/serve.ts'
import { shopAccess as contract } from './contract.ts'
import { changePhone, resetPassword, setRecoveryCode } from './server-account.ts'
import { handOver, sendHandOver } from './server-handover.ts'

export const shopAccessRouter = serve(contract, {
  changePhone,
  resetPassword,
  setRecoveryCode,
  handOver,
  sendHandOver,
})
