// What a change makes stale is declared with its operation, and what it names is there.
import assert from 'node:assert/strict'
import test from 'node:test'
import { contract } from '#app/joined.ts'
import { listOps } from '#kit/declare/op.ts'

const OPS = listOps(contract)

test('every change says what it makes stale, or why no page shows anything of it', () => {
  const changes = OPS.filter(({ method, meta }) => method !== 'GET' && !meta.ephemeral)
  assert.ok(changes.length > 60)
  const silent = changes.filter(({ meta }) => !meta.stale?.length && !meta.unshown)
  assert.deepEqual(
    silent.map(({ name }) => name),
    [],
    'Add `stale` to its declaration: features, or operations of them; or `unshown`, with the reason.',
  )
  const both = OPS.filter(
    ({ method, meta }) => meta.unshown && (method === 'GET' || meta.ephemeral || meta.stale),
  )
  assert.deepEqual(
    both.map(({ name }) => name),
    [],
    'They need no reason.',
  )
})

test('what is made stale is a feature that is read, or an operation that reads', () => {
  const reads = OPS.filter(({ method, meta }) => method === 'GET' || meta.ephemeral).map(({ name }) => name)
  for (const { name, method, meta } of OPS) {
    if (method === 'GET') assert.equal(meta.stale, undefined, name)
    for (const stale of meta.stale ?? [])
      assert.ok(
        reads.some(read => read === stale || read.startsWith(`${stale}.`)),
        `${name} makes ${stale} stale, which nobody reads`,
      )
  }
})
