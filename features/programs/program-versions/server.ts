import { serve } from '#server/serve.ts'
import { programVersions as contract } from './contract.ts'
import * as asked from './server-ask.ts'
import { details, liveCode, screenshots, templates, trialCode } from './server-rows.ts'
import { addTester, removeTester, testers } from './server-testers.ts'

const { look, setCode, declarePrivacy, setDomains, submit, withdraw, speedUp, release, rollBack } = asked

export const versionsRouter = serve(contract, {
  ...{ details, templates, trialCode, liveCode, screenshots },
  ...{ testers, addTester, removeTester },
  ...{ look, setCode, declarePrivacy, setDomains, submit, withdraw, speedUp, release, rollBack },
})
