import assert from 'node:assert/strict'
import test from 'node:test'
import { refuseView } from './rules.ts'

const VIEWER = { accountId: 1, agentId: 10 }
const CASES: [string, Parameters<typeof refuseView>[1], ReturnType<typeof refuseView>][] = [
  ['somebody else', { accountId: 2, agentId: 10, isEnabled: true }, null],
  ['an agent', { accountId: 3, agentId: 11, isEnabled: true }, null],
  ['oneself', { accountId: 1, agentId: 10, isEnabled: true }, 'VIEW_SELF'],
  ['who is disabled', { accountId: 2, agentId: 10, isEnabled: false }, 'VIEW_DISABLED'],
]
for (const [name, viewed, refusal] of CASES)
  test(`${name}: ${refusal ?? 'may be looked through'}`, () =>
    assert.equal(refuseView(VIEWER, viewed), refusal))
