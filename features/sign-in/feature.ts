import type { Feature } from '#server/feature.ts'
import { signIn as contract } from './contract.ts'
import { signInRouter as router } from './server.ts'

export const feature = {
  contract,
  router,
  clearing: [`delete from login_failures where created_at < now() - interval '1 day'`],
} satisfies Feature
