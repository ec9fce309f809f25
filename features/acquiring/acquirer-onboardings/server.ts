import { serve } from '#server/serve.ts'
import { acquirerOnboardings as contract } from './contract.ts'
import { approve, refuseThere, reject, send, setActive, setCode, setMerchantStatus } from './server-decide.ts'
import { ask, handIn } from './server-hand-in.ts'
import { handOver, preview } from './server-pay.ts'
import { details, list } from './server-rows.ts'
import { begin, complete, setRemark, submit } from './server-save.ts'
import { checkTest, settleTest, testPay } from './server-test-pay.ts'

export const acquirerOnboardingsRouter = serve(contract, {
  ...{
    list,
    details,
    begin,
    complete,
    submit,
    setRemark,
    approve,
    reject,
    handIn,
    ask,
    send,
    refuse: refuseThere,
  },
  ...{ setCode, setMerchantStatus, setActive, preview, handOver, testPay, settleTest, checkTest },
})
