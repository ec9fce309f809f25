import type { Feature } from '#server/feature.ts'
import { DEVICE_COOKIE_DAYS } from '#server/session-cookie.ts'
import { signIn as contract } from './contract.ts'
import { KEPT_DAYS } from './rules.ts'
import { signInRouter as router } from './server.ts'
import { setup } from './server-setup.ts'

export const feature = {
  setup,
  contract,
  router,
  settings: [KEPT_DAYS],
  clearing: [
    { table: 'login_failures', at: 'created_at', after: { days: 1 } },
    { table: 'account_codes', at: 'created_at', after: { days: 2 } },
    { table: 'sign_ins', at: 'created_at', after: KEPT_DAYS },
    { table: 'sign_in_devices', at: 'last_used_at', after: { days: DEVICE_COOKIE_DAYS } },
  ],
} satisfies Feature
