import type { Feature } from '#server/feature.ts'

/** Its loop is declared by `approvals`, which follows from what it finds. */
export const feature = {} satisfies Feature
