import type { Feature } from '#server/feature.ts'

export const feature = {
  clearing: [
    'delete from factor_challenges where expires_at < now()',
    `delete from factor_failures where created_at < now() - interval '1 day'`,
  ],
} satisfies Feature
