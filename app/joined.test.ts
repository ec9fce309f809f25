import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { featureIn, folderOf } from '#kit/feature-name.ts'
import type { Feature } from '#server/feature.ts'
import { FEATURES } from './features.ts'
import { JOBS } from './jobs.ts'
import { contract, LOOPS } from './joined.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const declared = Object.values<Feature>(FEATURES)

test('what features declare by name never covers what another has declared', () => {
  const named = (of: (feature: Feature) => object | undefined) =>
    declared.flatMap(feature => Object.keys(of(feature) ?? {}))
  const lists = [
    named(({ loops }) => loops),
    named(({ files }) => files),
    JOBS.map(({ name }) => name),
    declared.flatMap(({ permissions = [] }) => permissions.map(({ key }) => key)),
  ]
  for (const names of lists) assert.deepEqual(names, [...new Set(names)])
})

test('every name that is woken is a loop', () => {
  const woken = globSync('features/*/*.ts', { cwd: ROOT }).flatMap(file =>
    [...readFileSync(`${ROOT}${file}`, 'utf8').matchAll(/\.wake\('([^']*)'\)/g)].map(match => match[1]),
  )
  assert.ok(woken.length > 10)
  for (const name of woken) assert.ok(name && Object.hasOwn(LOOPS, name), `${name} is no loop`)
})

test('the page knows the same contract as the server: each by the name of its feature', async () => {
  const folders = globSync('features/*/contract.ts', { cwd: ROOT }).map(
    file => file.split(/[\\/]/)[1] as string,
  )
  assert.deepEqual(folders.sort(), Object.keys(contract).map(folderOf).sort())
  for (const folder of folders)
    assert.equal(
      (await import(`#features/${folder}/contract.ts`))[featureIn(folder)],
      contract[featureIn(folder) as keyof typeof contract],
    )
})
