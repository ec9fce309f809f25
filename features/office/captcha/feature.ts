import type { Feature } from '#server/feature.ts'
import { captcha as contract } from './contract.ts'
import { captchaRouter as router } from './server.ts'
import { setup } from './server-setup.ts'

export const feature = {
  setup,
  contract,
  router,
  clearing: [
    { table: 'captcha_challenges', at: 'created_at', after: { hours: 1 } },
    { table: 'captcha_passes', at: 'created_at', after: { days: 2 } },
  ],
} satisfies Feature
