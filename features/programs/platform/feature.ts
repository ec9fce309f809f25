import type { Feature } from '#server/feature.ts'
import { platformCallback, programCallback } from './server-callbacks.ts'

export const feature = { callbacks: [platformCallback, programCallback] } satisfies Feature
