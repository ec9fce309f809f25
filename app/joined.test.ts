import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { featureIn } from '#kit/feature-name.ts'
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
  const woken = globSync('features/**/*.ts', { cwd: ROOT }).flatMap(file =>
    [...readFileSync(`${ROOT}${file}`, 'utf8').matchAll(/\.wake\('([^']*)'\)/g)].map(match => match[1]),
  )
  assert.ok(woken.length > 10)
  for (const name of woken) assert.ok(name && Object.hasOwn(LOOPS, name), `${name} is no loop`)
})

test('the page knows the same contract as the server: each by the name of its feature', async () => {
  const files = globSync('features/**/contract.ts', { cwd: ROOT })
  const names = files.map(file => featureIn(dirname(file)))
  assert.deepEqual(names.toSorted(), Object.keys(contract).toSorted())
  for (const file of files) {
    const name = featureIn(dirname(file))
    assert.equal((await import(`#${file}`))[name], contract[name as keyof typeof contract], file)
  }
})
