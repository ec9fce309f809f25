// What makes the evidence of the simulators honest: neither side knows the other.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import test from 'node:test'

const isSimulator = (path: string) => /^(simulat|(acs3|tc3)-verifier)/.test(basename(path))
const FILES = globSync('**/*.ts', { cwd: import.meta.dirname })
  .filter(path => !path.endsWith('.test.ts'))
  .map(path => ({ path, text: readFileSync(join(import.meta.dirname, path), 'utf8') }))
/** Name both sides of a channel, and start what is simulated; no side knows them. */
const isJoint = (path: string) => /^(rooms?|simulators(-shared)?)\.ts$/.test(basename(path))
const CLIENTS = FILES.filter(({ path }) => !isSimulator(path) && !isJoint(path))
const SIMULATORS = FILES.filter(({ path }) => isSimulator(path) && !isJoint(path))
const importsOf = (text: string) =>
  [...text.matchAll(/(?:\bfrom|\bimport\(?)\s*['"]([^'"]+)['"]/g)].map(match => match[1] as string)

test('there are clients and simulators to look at', () => {
  for (const name of ['client.ts', 'wire.ts', 'call.ts'])
    assert.ok(
      CLIENTS.some(({ path }) => basename(path) === name),
      name,
    )
  assert.ok(SIMULATORS.some(({ path }) => path === 'simulator.ts'))
  assert.ok(SIMULATORS.some(({ path }) => path.endsWith('/simulator.ts')))
})

test('no client mentions a simulator, nor imports one', () => {
  for (const { path, text } of CLIENTS) {
    assert.doesNotMatch(text, /simulat|__sim/i, path)
    const simulators = importsOf(text).filter(isSimulator)
    assert.deepEqual(simulators, [], path)
  }
})

test('no simulator imports a client’s file: it shares nothing but other simulators’ files', () => {
  for (const { path, text } of SIMULATORS) {
    const shared = importsOf(text).filter(target => /^(\.|#providers\/)/.test(target) && !isSimulator(target))
    assert.deepEqual(shared, [], path)
  }
})

test('neither side imports what joins them', () => {
  for (const { path, text } of [...CLIENTS, ...SIMULATORS])
    assert.deepEqual(importsOf(text).filter(isJoint), [], path)
})
