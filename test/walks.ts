// What each feature adds to the walks over the contract (permissions, tenancy, operation log), in the features' order.
import { existsSync } from 'node:fs'
import { FEATURES } from '#app/features.ts'
import { folderOf } from '#kit/feature-name.ts'
import type { FeatureWalk } from './walk-types.ts'

const ROOT = new URL('../', import.meta.url)

export const WALKS: FeatureWalk[] = []
for (const name of Object.keys(FEATURES)) {
  const file = new URL(`features/${folderOf(name)}/walk.ts`, ROOT)
  if (existsSync(file)) WALKS.push((await import(file.href)).walk)
}
