// A partner is put under another: what is shown before, what is refused, and who is told.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { effectsOfMove, refuseMoving } from './rules.ts'

let office: Office
let operator: Client
let above: MadeAgent
let next: MadeAgent
let moved: MadeAgent
before(async () => {
  office = await openOffice()
  operator = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
})
after(() => office.stop())
beforeEach(async () => {
  above = await makeAgent(office)
  next = await makeAgent(office)
  moved = await makeAgent(office, { parentId: above.id })
})

const as = async ({ loginName }: MadeAgent) => office.as(await office.login(loginName))
const parentOf = async (id: number) => {
  const { rows } = await office.owner.query('select parent_id from agents where id = $1', [id])
  return rows[0].parent_id === null ? null : Number(rows[0].parent_id)
}
const noticesOf = async (agent: MadeAgent) => {
  const { rows } = await (await as(agent)).notices.list({})
  return rows.filter(({ topic }) => topic === 'Partner_Notify').map(({ title }) => title)
}

describe('what a move changes', () => {
  const move = { companyName: '甲', before: '乙', after: '丙', shops: 3, children: 2 }
  const cases: [string, Parameters<typeof effectsOfMove>[0], string[]][] = [
    ['from one to another', move, ['原上级 乙', '新上级 丙', '甲', '下级 2 家']],
    ['to the vendor', { ...move, after: null }, ['原上级 乙', '厂商', '甲', '下级 2 家']],
    ['from the vendor', { ...move, before: null, children: 0 }, ['新上级 丙', '甲']],
  ]
  for (const [name, given, whom] of cases)
    test(name, () =>
      assert.deepEqual(
        effectsOfMove(given).map(one => one.whom),
        whom,
      ),
    )

  test('and who does not move at all', () => {
    const agent = { status: 'active', isOperator: false, isVendorStaff: false, parentId: 7 } as const
    assert.equal(refuseMoving(agent, 8), null)
    assert.equal(refuseMoving(agent, null), null)
    assert.equal(refuseMoving(agent, 7), 'PARENT_SAME')
    assert.equal(refuseMoving({ ...agent, status: 'closed' }, 8), 'MOVED_CLOSED')
    assert.equal(refuseMoving({ ...agent, status: 'suspended' }, 8), null)
    assert.equal(refuseMoving({ ...agent, isVendorStaff: true }, 8), 'MOVED_VENDOR')
  })
})

test('the former parent sees the shops no more, the next one does, and all three are told', async () => {
  await makeMerchant(office, moved.id)
  const shopsSeenBy = async (agent: MadeAgent) => (await (await as(agent)).agentDesk.secondary({})).total
  const preview = await operator.partners.previewParent({ id: moved.id, parentId: next.id })
  assert.deepEqual([preview.parent?.id, preview.refusal], [above.id, null])
  assert.ok(preview.effects.some(({ effect }) => effect.includes('1 家商户')))
  assert.deepEqual([await shopsSeenBy(above), await shopsSeenBy(next)], [1, 0])
  await operator.partners.changeParent({ id: moved.id, parentId: next.id, seen: above.id })
  assert.deepEqual([await shopsSeenBy(above), await shopsSeenBy(next)], [0, 1])
  assert.deepEqual(
    [await noticesOf(above), await noticesOf(next), await noticesOf(moved)],
    [['下级代理已调整'], ['新增下级代理'], ['上级已调整']],
  )
  const { rows } = await operator.operationLog.history({ kind: 'agent', id: String(moved.id) })
  const change = rows.find(({ title }) => title === '调整上级')?.changes[0]
  assert.deepEqual([change?.before, change?.after], [`代理商${above.id}`, `代理商${next.id}`])
  await operator.partners.changeParent({ id: moved.id, parentId: null, seen: next.id })
  assert.equal(await parentOf(moved.id), null)
})

test('no circle, no fourth level, no parent that is suspended or closed, and the preview says the same', async () => {
  const below = await makeAgent(office, { parentId: moved.id })
  const deep = await makeAgent(office, { parentId: next.id })
  const [suspended, closed] = [await makeAgent(office), await makeAgent(office)]
  await operator.partners.suspend({ id: suspended.id, reason: '试' })
  await office.owner.query(`update agents set status = 'closed' where id = $1`, [closed.id])
  const staff = await makeAgent(office, { staff: true })
  for (const [parentId, code] of [
    [moved.id, 'PARENT_LOOP'],
    [below.id, 'PARENT_LOOP'],
    [deep.id, 'PARENT_DEPTH'],
    [suspended.id, 'PARENT_SUSPENDED'],
    [closed.id, 'PARENT_CLOSED'],
    [staff.id, 'PARENT_VENDOR'],
    [99_999_999, 'PARENT_UNKNOWN'],
    [above.id, 'PARENT_SAME'],
  ] as const) {
    const input = { id: moved.id, parentId, seen: above.id }
    assert.equal(await refusalOf(operator.partners.changeParent(input)), code, code)
    assert.notEqual((await operator.partners.previewParent({ id: moved.id, parentId })).refusal, null, code)
  }
  assert.equal(await parentOf(moved.id), above.id)
})

test('what another has changed since the preview is refused, and of two at once one moves it', async () => {
  const stale = { id: moved.id, parentId: next.id, seen: null }
  assert.equal(await refusalOf(operator.partners.changeParent(stale)), 'STALE')
  const answers = await Promise.allSettled([
    operator.partners.changeParent({ id: moved.id, parentId: next.id, seen: above.id }),
    operator.partners.changeParent({ id: moved.id, parentId: null, seen: above.id }),
  ])
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('two that would stand under each other do not, however close they come', async () => {
  const other = await makeAgent(office)
  const answers = await Promise.allSettled([
    operator.partners.changeParent({ id: next.id, parentId: other.id, seen: null }),
    operator.partners.changeParent({ id: other.id, parentId: next.id, seen: null }),
  ])
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('an agent whose parent was suspended is edited all the same', async () => {
  await operator.partners.suspend({ id: above.id, reason: '试' })
  const {
    isOperator: _o,
    status: _s,
    suspendedFor: _f,
    invitation: _i,
    ...terms
  } = await operator.partners.terms({ id: moved.id })
  await operator.partners.edit({ id: moved.id, ...terms, contactName: '新联系人', districtCode: '440305' })
  assert.equal(await parentOf(moved.id), above.id)
})
