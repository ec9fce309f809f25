import assert from 'node:assert/strict'
import test from 'node:test'
import { type Ranked, RENEWAL_REFUSALS, rank, refuseMark } from './rules.ts'

const TODAY = '2026-11-21'
const shop = (changes: Partial<Ranked> = {}): Ranked => ({
  daysLeft: 20,
  idleDays: 10,
  shops: 1,
  yearlyCents: 29_800,
  mark: null,
  ...changes,
})
const score = (changes: Partial<Ranked>) => rank(shop(changes), TODAY).score

test('a mark needs a state, a reason where the shop is lost, a short note and no past day', () => {
  const mark = { state: 'contacted', note: '', nextOn: null } as const
  for (const [changes, expected] of [
    [{}, null],
    [{ nextOn: TODAY }, null],
    [{ nextOn: '2026-11-20' }, 'NEXT_IN_PAST'],
    [{ state: 'lost' }, 'LOST_WHY'],
    [{ state: 'lost', note: '  ' }, 'LOST_WHY'],
    [{ state: 'lost', note: '店铺转让' }, null],
    [{ note: '长'.repeat(100) }, null],
    [{ note: '长'.repeat(101) }, 'NOTE_TOO_LONG'],
    [{ state: 'promised', note: '月底付款' }, null],
  ] as const)
    assert.equal(refuseMark({ ...mark, ...changes }, TODAY), expected, JSON.stringify(changes))
  assert.equal(RENEWAL_REFUSALS.LOST_WHY, '请输入流失原因')
})

test('the nearer the end, the higher a shop stands; size, value and use raise it', () => {
  assert.ok(score({ daysLeft: 1 }) > score({ daysLeft: 20 }))
  assert.ok(score({ daysLeft: 20 }) > score({ daysLeft: 80 }))
  assert.ok(score({ daysLeft: -3 }) > score({ daysLeft: -60 }))
  assert.ok(score({ shops: 5 }) > score({ shops: 2 }))
  assert.ok(score({ shops: 2 }) > score({ shops: 1 }))
  assert.ok(score({ yearlyCents: 100_000 }) > score({ yearlyCents: 99_999 }))
  assert.ok(score({ idleDays: 7 }) > score({ idleDays: 8 }))
})

test('what was agreed moves a shop up on its day, down before it, and far down when it is lost', () => {
  const plain = score({})
  assert.ok(score({ mark: { state: 'contacted', nextOn: TODAY } }) > plain)
  assert.ok(score({ mark: { state: 'contacted', nextOn: '2026-12-01' } }) < plain)
  assert.ok(
    score({ mark: { state: 'lost', nextOn: null } }) < score({ mark: { state: 'contacted', nextOn: null } }),
  )
  assert.ok(score({ mark: { state: 'promised', nextOn: null } }) > plain)
})

test('every reason that counted is told', () => {
  for (const [changes, reasons] of [
    [{ daysLeft: 0, idleDays: null }, ['今天到期', '从未登录']],
    [{ daysLeft: 12 }, ['剩12天']],
    [{ daysLeft: -5, shops: 3 }, ['已过期5天', '3家店']],
    [{ idleDays: 2, yearlyCents: 100_000 }, ['剩20天', '高金额', '近7天在用']],
    [{ idleDays: 45 }, ['剩20天', '45天未登录']],
    [{ mark: { state: 'promised', nextOn: '2026-11-20' } }, ['剩20天', '到约定跟进日', '已承诺']],
    [{ mark: { state: 'contacted', nextOn: '2026-12-01' } }, ['剩20天', '2026-12-01 再跟进']],
  ] as const)
    assert.deepEqual(rank(shop(changes), TODAY).reasons, reasons, JSON.stringify(changes))
})
