import type { Feature } from '#server/feature.ts'
import { views as contract } from './contract.ts'
import { viewsRouter as router } from './server.ts'

export const feature = {
  contract,
  router,
} satisfies Feature
