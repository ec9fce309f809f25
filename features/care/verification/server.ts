import { serve } from '#server/serve.ts'
import { verification as contract } from './contract.ts'
import { reject, verify } from './server-decide.ts'
import { read } from './server-read.ts'
import { listReasons, ofShop, reveal, reviews } from './server-rows.ts'
import { save, submit, withdraw } from './server-save.ts'

export const verificationRouter = serve(contract, {
  ofShop,
  save,
  submit,
  withdraw,
  read,
  reveal,
  reviews,
  reasons: listReasons,
  verify,
  reject,
})
