import type { Feature } from '#server/feature.ts'
import { fonts as contract } from './contract.ts'
import { fontsRouter as router } from './server.ts'

export const feature = {
  contract,
  router,
} satisfies Feature
