// What each feature adds to the walks over the contract (permissions, tenancy, operation log), in the features' order.
import { globSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FEATURES } from '#app/features.ts'
import { featureIn } from '#kit/feature-name.ts'
import type { FeatureWalk } from './walk-types.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))

const files = new Map(
  globSync('features/**/walk.ts', { cwd: ROOT }).map(file => [featureIn(dirname(file)), file] as const),
)

export const WALKS: FeatureWalk[] = []
for (const name of Object.keys(FEATURES)) {
  const file = files.get(name)
  if (file) WALKS.push((await import(`#${file}`)).walk)
}
