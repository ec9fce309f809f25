// Templates of a kind of the tests' own take the place of labels before the program is loaded, so they have processes of their own.
import assert from 'node:assert/strict'
import test from 'node:test'
import { runOnItsOwn } from '#test/own-process.ts'

for (const [name, what, passed] of [
  ['print-templates', 'drafts, publishing, history and restoring', 12],
  ['print-templates-live', 'whom versions are for, and what a shop gets of them', 11],
] as const)
  test(what, () => {
    const { status, said } = runOnItsOwn(`print/${name}.ts`)
    assert.equal(status, 0, said)
    assert.match(said, new RegExp(`pass ${passed}\\b`))
  })
