import { serve } from '#server/serve.ts'
import { shopAccess as contract } from './contract.ts'
import { changePhone, resetPassword, setRecoveryCode } from './server-account.ts'

export const shopAccessRouter = serve(contract, { changePhone, resetPassword, setRecoveryCode })
