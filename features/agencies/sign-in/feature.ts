import type { Feature } from '#server/feature.ts'
import { settingInSql } from '#server/office/settings.ts'
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
    `delete from login_failures where created_at < now() - interval '1 day'`,
    `delete from account_codes where created_at < now() - interval '2 days'`,
    `delete from sign_ins where created_at < now() - make_interval(days => ${settingInSql(KEPT_DAYS)})`,
    `delete from sign_in_devices where last_used_at < now() - interval '${DEVICE_COOKIE_DAYS} days'`,
  ],
} satisfies Feature
