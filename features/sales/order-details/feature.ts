import type { Feature } from '#server/feature.ts'
import { orderDetails as contract } from './contract.ts'
import { orderDetailsRouter as router } from './server.ts'

export const feature = { contract, router } satisfies Feature
