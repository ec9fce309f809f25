// What a suspended agency's people may do, what becomes of its tokens and of work under way; what is changed of a partner's terms.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { newPartner } from '#test/make-partners.ts'
import { soon } from '#test/walk.ts'

let office: Office
let operator: Client
let agent: MadeAgent
let mine: Client

before(async () => {
  office = await openOffice()
  operator = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
})
after(() => office.stop())
beforeEach(async () => {
  agent = await makeAgent(office, { tokens: 10_000, sms: 100 })
  mine = office.as(await office.login(agent.loginName))
})

const suspend = async () => {
  await operator.partners.suspend({ id: agent.id, reason: '合同款逾期未付' })
  assert.ok(await soon(async () => (await mine.access.current()).suspendedFor !== null))
}

const credit = (from: object, to: object, amount: number) =>
  office.owner.query('select ledger_post($1::jsonb)', [
    JSON.stringify([
      {
        ...{ kind: 'credit', asset: 'token', amount, from, to, document: `T${amount}`, payMethod: 'gift' },
        ...{ agentId: agent.id, actorId: 1, actorName: '测试', description: '试' },
      },
    ]),
  ])

describe('a suspended agency', () => {
  test('sees everything, may not buy or change, and is told why; resumed it goes on where it was', async () => {
    const id = await makeMerchant(office, agent.id)
    const { orderNo } = await mine.selling.quote(newMerchantForm())
    await suspend()
    assert.equal((await mine.access.current()).suspendedFor, '合同款逾期未付')
    assert.equal((await mine.merchants.list({})).total, 1)
    for (const call of [
      () => mine.selling.add({ orderNo }),
      () => mine.merchants.setRemark({ id, remark: '改' }),
    ])
      assert.equal(await refusalOf(call()), 'AGENT_SUSPENDED')
    const told = await mine.notices.list({})
    assert.ok(told.rows.some(({ title }) => title === '公司已被暂停'))
    await operator.partners.resume({ id: agent.id })
    assert.ok(await soon(async () => (await mine.access.current()).suspendedFor === null))
    assert.ok((await mine.selling.add({ orderNo })).id > 0)
    await office.verifyLedger()
  })

  test('still signs in, and says what it has to say', async () => {
    await suspend()
    const again = office.as(await office.login(agent.loginName))
    assert.equal((await again.ledger.wallet()).tokenCents, 1_000_000)
    assert.ok(await again.feedback.submit({ content: '款已付', pictureId: null }))
  })

  test('keeps its tokens from whatever is under way, and may be given some', async () => {
    const own = { kind: 'agent', id: agent.id }
    await suspend()
    await assert.rejects(credit(own, { kind: 'vendor', book: 'issued' }, 7), { code: 'PO002' })
    await credit({ kind: 'vendor', book: 'issued' }, own, 8)
    assert.equal((await mine.ledger.wallet()).tokenCents, 1_000_008)
    await operator.partners.resume({ id: agent.id })
    await credit(own, { kind: 'vendor', book: 'issued' }, 9)
    await office.verifyLedger()
  })

  test('is suspended between two purchases of many: those before stand, those after are refused, none by half', async () => {
    const quotes = []
    for (let i = 0; i < 6; i++) quotes.push((await mine.selling.quote(newMerchantForm())).orderNo)
    const outcomes = await Promise.allSettled([
      ...quotes.map(orderNo => mine.selling.add({ orderNo })),
      operator.partners.suspend({ id: agent.id, reason: '试' }),
    ])
    const sold = outcomes.slice(0, 6).filter(({ status }) => status === 'fulfilled').length
    for (const one of outcomes.slice(0, 6))
      if (one.status === 'rejected')
        assert.ok(['AGENT_SUSPENDED', 'BUSY', 'QUOTE_UNKNOWN'].includes(one.reason.code), one.reason.code)
    assert.equal((await mine.merchants.list({})).total, sold)
    await office.verifyLedger()
  })

  test('is none that was not active, nor the vendor', async () => {
    const staff = await makeAgent(office, { staff: true })
    assert.equal(await refusalOf(operator.partners.suspend({ id: staff.id, reason: '试' })), 'SUSPEND_VENDOR')
    assert.equal(
      await refusalOf(operator.partners.suspend({ id: agent.id, reason: ' ' })),
      'SUSPEND_REASON_REQUIRED',
    )
    assert.equal(
      await refusalOf(operator.partners.suspend({ id: agent.id, reason: '长'.repeat(51) })),
      'SUSPEND_REASON_TOO_LONG',
    )
    assert.equal(await refusalOf(operator.partners.resume({ id: agent.id })), 'NOT_SUSPENDED')
    await suspend()
    assert.equal(
      await refusalOf(operator.partners.suspend({ id: agent.id, reason: '试' })),
      'SUSPENDED_ALREADY',
    )
    assert.equal(await refusalOf(operator.partners.suspend({ id: 99_999_999, reason: '试' })), 'NOT_FOUND')
  })

  test('is no agent’s own to lift', async () => {
    await suspend()
    const client = await office.app.services.database
      .write({ agentId: agent.id, scope: 'own' }, ({ client }) =>
        client.query(`update agents set status = 'active' where id = $1`, [agent.id]),
      )
      .then(
        () => 'done',
        (error: { code?: string; cause?: { code?: string } }) => error.cause?.code ?? error.code,
      )
    assert.equal(client, '42501')
  })
})

describe('the terms of a partner', () => {
  const termsOf = () => {
    const { ownerLoginName: _l, ownerName: _n, ownerMobile: _m, tokenCents: _t, ...terms } = newPartner()
    return terms
  }

  test('are changed, with what was before in the log', async () => {
    const terms = termsOf()
    await operator.partners.edit({ id: agent.id, ...terms, levelId: 4, methodIds: [3] })
    const kept = await operator.partners.terms({ id: agent.id })
    assert.deepEqual([kept.companyName, kept.levelId, kept.methodIds], [terms.companyName, 4, [3]])
    const { rows } = await operator.operationLog.list({ search: '修改合作伙伴' })
    const level = rows[0]?.changes.find(({ name }) => name === '等级')
    assert.deepEqual([level?.before, level?.after], ['运营商', '金牌代理'])
  })

  test('do not turn the tree of partners around, nor make it deeper than three', async () => {
    const child = await makeAgent(office, { parentId: agent.id })
    const grandchild = await makeAgent(office, { parentId: child.id })
    const other = await makeAgent(office)
    for (const [id, parentId, code] of [
      [agent.id, agent.id, 'PARENT_LOOP'],
      [agent.id, child.id, 'PARENT_LOOP'],
      [agent.id, grandchild.id, 'PARENT_LOOP'],
      [agent.id, other.id, 'PARENT_DEPTH'],
    ] as const)
      assert.equal(
        await refusalOf(operator.partners.edit({ id, ...termsOf(), parentId })),
        code,
        `${id} ${parentId}`,
      )
    await operator.partners.edit({ id: grandchild.id, ...termsOf(), parentId: other.id })
    await operator.partners.edit({ id: agent.id, ...termsOf(), parentId: other.id })
  })
})
