import type { Feature } from '#server/feature.ts'
import { captcha as contract } from './contract.ts'
import { captchaRouter as router } from './server.ts'
import { setup } from './server-setup.ts'

export const feature = {
  setup,
  contract,
  router,
  clearing: [
    `delete from captcha_challenges where created_at < now() - interval '1 hour'`,
    `delete from captcha_passes where created_at < now() - interval '2 days'`,
  ],
} satisfies Feature
