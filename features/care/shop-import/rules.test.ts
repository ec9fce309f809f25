import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { headKey } from '#kit/words/heads.ts'
import { COLUMNS } from './fields.ts'
import {
  backNeeds,
  CELL_KEYS,
  covers,
  IMPORT_STATES,
  type ImportState,
  percentOf,
  refuseRollBack,
  refuseStart,
  refuseStep,
  refuseUpload,
} from './rules.ts'
import { readDay, readTerm } from './server-check.ts'

describe('what is refused', () => {
  const staff = { isVendorStaff: true }
  const partner = { isVendorStaff: false }
  const uploads = [
    [{ mode: 'charge', agentId: null, reason: '' }, partner, null],
    [{ mode: 'charge', agentId: 7, reason: '' }, staff, 'MODE_WRONG'],
    [{ mode: 'takeover', agentId: 7, reason: '迁移' }, partner, 'MODE_WRONG'],
    [{ mode: 'takeover', agentId: null, reason: '迁移' }, staff, 'AGENT_REQUIRED'],
    [{ mode: 'takeover', agentId: 7, reason: ' ' }, staff, 'REASON_REQUIRED'],
    [{ mode: 'takeover', agentId: 7, reason: '长'.repeat(51) }, staff, 'REASON_TOO_LONG'],
    [{ mode: 'takeover', agentId: 7, reason: '迁移' }, staff, null],
  ] as const
  for (const [upload, actor, expected] of uploads)
    test(`an upload: ${expected}`, () => assert.equal(refuseUpload(upload, actor), expected))
  const fine = { faulty: 0, undecided: 0, fine: 1 }
  const starts = [
    [fine, null],
    [{ ...fine, faulty: 1 }, 'ROWS_FAULTY'],
    [{ ...fine, undecided: 1 }, 'ROWS_DUPLICATE'],
    [{ ...fine, fine: 0 }, 'NOTHING_TO_IMPORT'],
  ] as const
  for (const [counts, expected] of starts)
    test(`a start: ${expected}`, () => assert.equal(refuseStart(counts, [{}]), expected))
  test('a start while nobody has said that a guess is right', () =>
    assert.equal(refuseStart(fine, [{}, { guessed: true }]), 'COLUMNS_GUESSED'))
  const done = {
    state: 'done',
    mode: 'charge',
    created: 2,
    startedAt: '2026-11-01T00:00:00.000Z',
    totalCents: 500,
  } as const
  const by = partner
  const rollBacks = [
    [done, by, '2026-11-16T00:00:00.000Z', null],
    [done, by, '2026-11-16T00:00:00.001Z', 'ROLL_BACK_LATE'],
    [{ ...done, state: 'draft' }, by, '2026-11-02T00:00:00.000Z', 'STEP_NOT_NOW'],
    [{ ...done, created: 0 }, by, '2026-11-02T00:00:00.000Z', 'NOTHING_TO_ROLL_BACK'],
    [{ ...done, mode: 'takeover' }, by, '2026-11-02T00:00:00.000Z', 'TAKEOVER_STAFF'],
    [{ ...done, mode: 'takeover' }, staff, '2026-11-02T00:00:00.000Z', null],
  ] as const
  for (const [of, who, now, expected] of rollBacks)
    test(`a roll-back: ${expected}`, () => assert.equal(refuseRollBack(of, who, { now, days: 15 }), expected))
  const extents = [
    [{ approvalCents: null, left: 2 }, null],
    [{ approvalCents: 500, left: 2 }, null],
    [{ approvalCents: 499, left: 2 }, '金额 5.00 代币超过审批限额 4.99 代币'],
    [{ approvalCents: 500, left: 1 }, '2 家店铺超过本月还可自行撤销的 1 单'],
    [{ approvalCents: null, left: -3 }, '2 家店铺超过本月还可自行撤销的 0 单'],
  ] as const
  for (const [limits, expected] of extents)
    test(`a way back of one’s own: ${expected}`, () =>
      assert.equal(backNeeds({ totalCents: 500, shops: 2 }, limits), expected))
  test('what was approved covers as much and no more', () => {
    const approved = { totalCents: 500, shops: 2 }
    assert.deepEqual(
      [approved, { totalCents: 501, shops: 2 }, { totalCents: 500, shops: 3 }].map(of =>
        covers(approved, of),
      ),
      [true, false, false],
    )
  })
  test('only what waits is dropped, only what runs is stopped', () => {
    const allowed = (step: 'drop' | 'stop') =>
      (Object.keys(IMPORT_STATES) as ImportState[]).filter(state => refuseStep(state, step) === null)
    assert.deepEqual([allowed('drop'), allowed('stop')], [['draft'], ['running']])
  })
  test('100 percent is said of all alone', () => {
    assert.deepEqual([percentOf(999, 1_000), percentOf(1_000, 1_000), percentOf(0, 0)], [99, 100, 100])
  })
})

describe('what heads are called', () => {
  const named = CELL_KEYS.flatMap(key =>
    [COLUMNS[key].label, ...COLUMNS[key].others].map(name => [headKey(name), key] as const),
  )
  test('each name is of one column', () => {
    const seen = new Map<string, string>()
    const twice = named.filter(([name, key]) => {
      const before = seen.get(name)
      seen.set(name, key)
      return before !== undefined && before !== key
    })
    assert.deepEqual(twice, [])
  })
  const heads = [
    ['老板姓名', 'personName'],
    ['法人', 'personName'],
    ['法人姓名', 'personName'],
    ['联系人', 'personName'],
    ['全称', 'shopName'],
    ['店铺全称（与营业执照一致）', 'shopName'],
    ['店铺名', 'shopName'],
    ['商户名称', 'shopName'],
    ['手机', 'account'],
    ['老板手机号', 'account'],
    ['联系人电话', 'account'],
    ['门店电话', 'shopPhone'],
    ['门店简称', 'shortName'],
    ['套餐名称', 'version'],
    ['使用期限', 'term'],
    ['经营地址', 'address'],
    ['软件到期时间', 'expiresAt'],
  ] as const
  const known = new Map(named)
  for (const [name, key] of heads) test(`${name}: ${key}`, () => assert.equal(known.get(headKey(name)), key))
})

describe('what people write', () => {
  const days = [
    ['2024-1-5', '2024-01-05'],
    ['2024/01/05 12:30', '2024-01-05'],
    ['2024年1月5日', '2024-01-05'],
    ['2024.1.5', '2024-01-05'],
    ['20240105', '2024-01-05'],
    ['45296', '2024-01-05'],
    ['45296.5', '2024-01-05'],
    ['2024-02-30', null],
    ['13800', null],
    ['明天', null],
    ['', null],
  ] as const
  for (const [text, expected] of days) test(`the day ${text}`, () => assert.equal(readDay(text), expected))
  const terms = [
    ['1年', { term: 'year', periods: 1 }],
    ['两年', { term: 'year', periods: 2 }],
    ['3', { term: 'year', periods: 3 }],
    ['按年', { term: 'year', periods: 1 }],
    ['6个月', { term: 'month', periods: 6 }],
    ['永久', { term: 'lifetime', periods: 1 }],
    ['半年', null],
    ['很久', null],
    ['', null],
  ] as const
  for (const [text, expected] of terms)
    test(`the term ${text}`, () =>
      assert.deepEqual(
        readTerm(text, () => undefined),
        expected,
      ))
  test('heads are compared without blanks, marks and what stands in brackets', () => {
    assert.equal(headKey(' 手机号（必填）* '), headKey('手机号:'))
  })
})
