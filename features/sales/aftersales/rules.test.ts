import assert from 'node:assert/strict'
import test from 'node:test'
import { brokenOf } from '#kit/declare/form.ts'
import { EXTENSION, TOOL } from './fields.ts'
import {
  type ChainShop,
  extendedExpiry,
  freePlaces,
  refuseAssociate,
  refuseDissolve,
  refuseExtended,
  refuseMoved,
  refuseProvider,
  refuseVersion,
  TOOL_REFUSALS,
} from './rules.ts'

test('the messages that the documents give are theirs to the letter', () => {
  assert.equal(TOOL_REFUSALS.SEARCH_REQUIRED, '请输入查找商户')
  assert.equal(TOOL_REFUSALS.SHOP_ID_REQUIRED, '请输入商户ID')
  assert.equal(TOOL_REFUSALS.SHOP_UNKNOWN, '请输入正确的ID/账号')
  assert.equal(TOOL_REFUSALS.MERCHANT_DISABLED, '请启用后再进行操作')
})

test('an extension is 1 to 365 whole days, of a shop that is enabled and has an end', () => {
  const days: [number | null, boolean][] = [
    [1, true],
    [365, true],
    [0, false],
    [366, false],
    [-1, false],
    [1.5, false],
    [Number.NaN, false],
    [null, false],
  ]
  for (const [given, accepted] of days)
    assert.equal(brokenOf(EXTENSION, { days: given }).length === 0, accepted, String(given))
  for (const [reason, said] of [
    [' ', '请输入操作原因'],
    ['长'.repeat(51), '操作原因不得超过50字'],
    ['𠮷'.repeat(50), undefined],
  ])
    assert.equal(brokenOf(TOOL, { reason })[0]?.message, said)
  const end = '2026-11-21T00:00:00.000Z'
  assert.equal(refuseExtended({ status: 'normal', expiresAt: end }), null)
  assert.equal(refuseExtended({ status: 'normal', expiresAt: null }), 'PERMANENT')
  assert.equal(refuseExtended({ status: 'disabled', expiresAt: end }), 'MERCHANT_DISABLED')
  assert.equal(refuseExtended({ status: 'disabled', expiresAt: null }), 'MERCHANT_DISABLED')
})

test('days are added at the end of the term, or from now where it has ended', () => {
  const now = '2026-11-21T08:00:00.000Z'
  assert.equal(extendedExpiry('2026-12-01T00:00:00.000Z', 7, now), '2026-12-08T00:00:00.000Z')
  assert.equal(extendedExpiry('2026-11-01T00:00:00.000Z', 7, now), '2026-11-28T08:00:00.000Z')
  assert.equal(extendedExpiry(now, 1, now), '2026-11-22T08:00:00.000Z')
})

test('a shop goes to another agent that is enabled; a branch only with its head', () => {
  assert.equal(refuseMoved({ storeKind: 'head' }), null)
  assert.equal(refuseMoved({ storeKind: 'branch' }), 'BRANCH_MOVES_WITH_HEAD')
  assert.equal(refuseProvider(1, null), 'AGENT_REQUIRED')
  assert.equal(refuseProvider(1, { id: 1, enabled: true }), 'AGENT_SAME')
  assert.equal(refuseProvider(1, { id: 2, enabled: false }), 'AGENT_DISABLED')
  assert.equal(refuseProvider(1, { id: 2, enabled: true }), null)
})

test('a version becomes one that the table of adjustments names', () => {
  const targets = [{ id: 8 }]
  const cases = [
    ['normal', targets, 8, null],
    ['normal', targets, null, 'VERSION_REQUIRED'],
    ['normal', targets, 9, 'VERSION_NOT_ADJUSTABLE'],
    ['normal', [], null, 'VERSION_FIXED'],
    ['disabled', targets, 8, 'MERCHANT_DISABLED'],
  ] as const
  for (const [status, of, versionId, expected] of cases)
    assert.equal(refuseVersion({ status }, of, versionId), expected)
})

const HEAD: ChainShop = {
  id: 1,
  agentId: 7,
  storeKind: 'head',
  headId: null,
  status: 'normal',
  shopsBought: 3,
  branches: 1,
}
const BRANCH: ChainShop = { ...HEAD, id: 2, shopsBought: 1, branches: 0 }

test('a shop becomes a branch of a head of the same agent that has a place left', () => {
  const cases: [Partial<ChainShop>, Partial<ChainShop>, keyof typeof TOOL_REFUSALS | null][] = [
    [{}, {}, null],
    [{ branches: 2 }, {}, 'GROUP_FULL'],
    [{ shopsBought: 1, branches: 0 }, {}, 'GROUP_FULL'],
    [{ shopsBought: 2, branches: 0 }, {}, null],
    [{ status: 'disabled' }, {}, 'MERCHANT_DISABLED'],
    [{}, { status: 'disabled' }, 'MERCHANT_DISABLED'],
    [{ storeKind: 'branch', headId: 9 }, {}, 'HEAD_IS_BRANCH'],
    [{}, { id: 1 }, 'SAME_SHOP'],
    [{}, { agentId: 8 }, 'OTHER_AGENT'],
    [{}, { storeKind: 'branch', headId: 1 }, 'BRANCH_ALREADY'],
    [{}, { storeKind: 'branch', headId: 9 }, 'BRANCH_ELSEWHERE'],
    [{}, { storeKind: 'branch', headId: null }, 'BRANCH_ELSEWHERE'],
    [{}, { branches: 1 }, 'BRANCH_HAS_BRANCHES'],
  ]
  for (const [head, branch, expected] of cases)
    assert.equal(
      refuseAssociate({ ...HEAD, ...head }, { ...BRANCH, ...branch }),
      expected,
      JSON.stringify([head, branch]),
    )
  assert.equal(TOOL_REFUSALS.GROUP_FULL, '分店数量已满，请先增购分店')
})

test('the head takes one of the shops that were paid for', () => {
  assert.deepEqual(
    [
      { shopsBought: 3, branches: 0 },
      { shopsBought: 3, branches: 2 },
      { shopsBought: 1, branches: 4 },
    ].map(freePlaces),
    [2, 0, 0],
  )
})

test('only a branch leaves its head, also one that is disabled', () => {
  assert.equal(refuseDissolve({ storeKind: 'branch', headId: 1 }), null)
  assert.equal(refuseDissolve({ storeKind: 'head', headId: null }), 'NOT_A_BRANCH')
})
