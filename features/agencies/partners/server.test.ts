// A partner is taken on, its owner comes in by the invitation; each case through the real router.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before, describe } from 'node:test'
import { perChannel } from '#kit/ports/channels.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { makeAccount, makeAgent } from '#test/make.ts'
import { invitationToken, newPartner } from '#test/make-partners.ts'
import { connectSms } from '#test/silent-sms.ts'
import type { NewPartner } from './server-take-on.ts'

const PASSWORD = 'Kmb-4471-quelle'
let office: Office
let operator: Client
let nobody: Client

before(async () => {
  office = await openOffice()
  operator = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
  nobody = office.as(null)
})
after(() => office.stop())

const count = async (sql: string, ...values: unknown[]) =>
  Number((await office.owner.query(`select count(*) as n from ${sql}`, values)).rows[0].n)

const setPassword = (token: string, newPassword = PASSWORD) =>
  nobody.partners.accept({ token, newPassword, confirmation: newPassword })

describe('a partner is taken on', () => {
  test('with its terms, what it may use, its first account and its tokens', async () => {
    const parent = await makeAgent(office)
    const input = newPartner({
      parentId: parent.id,
      accountFormat: 'long',
      payEnabled: true,
      contractFrom: '2026-12-01',
      contractTo: '2027-11-30',
      methodIds: [3],
      channels: { ...perChannel(() => null), wechat: false },
      tokenCents: 50_000,
    })
    const { id, invitation } = await operator.partners.takeOn(input)
    const { rows } = await office.owner.query('select * from agents where id = $1', [id])
    const { company_name, level_id, parent_id, status, enabled, account_format, pay_enabled } = rows[0]
    assert.deepEqual(
      { company_name, level_id, parent_id: Number(parent_id), status, enabled, account_format, pay_enabled },
      {
        company_name: input.companyName,
        level_id: 2,
        parent_id: parent.id,
        status: 'active',
        enabled: true,
        account_format: 'long',
        pay_enabled: true,
      },
    )
    assert.match(invitation.phone, /^137\*{4}/)
    assert.equal(await count(`agent_payment_methods where agent_id = $1 and payment_method_id = 3`, id), 1)
    assert.equal(await count(`agent_pay_channels where agent_id = $1 and not enabled`, id), 1)
    assert.equal(await count(`accounts where agent_id = $1 and is_owner and not enabled`, id), 1)
    const [row] = (await operator.partnerDesk.list({ search: input.companyName })).rows
    assert.equal(row?.tokenBalanceCents, 50_000)
    await office.verifyLedger()
  })

  test('once, however often the same request comes', async () => {
    const input = newPartner({ tokenCents: 100 })
    const context = { context: { key: randomUUID() } }
    const answers = await Promise.all([1, 2, 3].map(() => operator.partners.takeOn(input, context)))
    assert.equal(new Set(answers.map(({ id }) => id)).size, 1)
    assert.equal(await count('agents where company_name = $1', input.companyName), 1)
    assert.equal(await count(`ledger_transfers where agent_id = $1`, answers[0]?.id), 1)
  })

  test('once by name, whoever else takes it on at the same moment', async () => {
    const companyName = '同时同名公司'
    const answers = await Promise.allSettled(
      [1, 2, 3].map(() => operator.partners.takeOn(newPartner({ companyName }))),
    )
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const answer of answers)
      if (answer.status === 'rejected') assert.equal(answer.reason.code, 'COMPANY_TAKEN')
  })

  test('once by name, however it is written, and the database keeps it so', async () => {
    const companyName = '同写 ABC（中国）公司'
    const { id } = await operator.partners.takeOn(newPartner({ companyName }))
    for (const other of ['同写ＡＢＣ(中国)公司', '同写 abc （中国） 公司', ' 同写Abc（中国）公司 ']) {
      const input = newPartner({ companyName: other })
      assert.equal(await refusalOf(operator.partners.takeOn(input)), 'COMPANY_TAKEN', other)
      const unasked = `update agents set company_name = $1 where id = (select min(id) from agents where id <> $2)`
      await assert.rejects(office.owner.query(unasked, [other, id]), { code: '23505' })
    }
  })

  const cases: [
    what: string,
    more: () => Promise<Partial<NewPartner>> | Partial<NewPartner>,
    code: string,
  ][] = [
    ['without a name', () => ({ companyName: ' ' }), 'COMPANY_REQUIRED'],
    ['with a name of symbols', () => ({ companyName: '<b>' }), 'COMPANY_SYMBOLS'],
    ['without a level', () => ({ levelId: null }), 'LEVEL_UNKNOWN'],
    ['with a level that is none', () => ({ levelId: 99 }), 'LEVEL_UNKNOWN'],
    ['under nobody', () => ({ parentId: 999_999 }), 'PARENT_UNKNOWN'],
    [
      'under the vendor',
      async () => ({ parentId: (await makeAgent(office, { staff: true })).id }),
      'PARENT_VENDOR',
    ],
    ['under a third level', async () => ({ parentId: await thirdLevel() }), 'PARENT_DEPTH'],
    ['under one that is closed', async () => ({ parentId: await closed() }), 'PARENT_CLOSED'],
    ['under one that is suspended', async () => ({ parentId: await suspended() }), 'PARENT_SUSPENDED'],
    ['of a region that is none', () => ({ districtCode: '999999' }), 'REGION_UNKNOWN'],
    [
      'with a contract that ends before',
      () => ({ contractFrom: '2027-01-02', contractTo: '2027-01-01' }),
      'CONTRACT_ORDER',
    ],
    ['with a method that is none', () => ({ methodIds: [999] }), 'METHOD_UNKNOWN'],
    ['with a wrong number', () => ({ mobile: '123' }), 'MOBILE_FORMAT'],
    ['with an owner without a number', () => ({ ownerMobile: '' }), 'OWNER_MOBILE_FORMAT'],
    ['with a login name of letters', () => ({ ownerLoginName: 'abc' }), 'OWNER_LOGIN_FORMAT'],
    [
      'with a login name that is taken',
      async () => ({ ownerLoginName: (await makeAgent(office)).loginName }),
      'OWNER_LOGIN_TAKEN',
    ],
    ['with less than no tokens', () => ({ tokenCents: -1 }), 'TOKENS_FORMAT'],
    ['with more tokens than there may be', () => ({ tokenCents: 1_000_000_001 }), 'TOKENS_TOO_LARGE'],
  ]
  for (const [what, more, code] of cases)
    test(`not ${what}`, async () => {
      const input = newPartner(await more())
      assert.equal(await refusalOf(operator.partners.takeOn(input)), code)
      assert.equal(await count('agents where company_name = $1', input.companyName), 0)
      assert.equal(await count('outbox_messages where phone = $1', input.ownerMobile), 0)
    })

  test('by the operator alone', async () => {
    for (const options of [{}, { staff: true }]) {
      const other = office.as(await office.login((await makeAgent(office, options)).loginName))
      assert.equal(await refusalOf(other.partners.takeOn(newPartner())), 'FORBIDDEN')
    }
  })

  test('with tokens only by whoever may credit', async () => {
    const { id } = await makeAgent(office, { operator: true })
    const { loginName } = await makeAccount(office, id, { nodeIds: [27, 61, 617] })
    const clerk = office.as(await office.login(loginName))
    assert.equal(await refusalOf(clerk.partners.takeOn(newPartner({ tokenCents: 1 }))), 'FORBIDDEN')
    assert.ok((await clerk.partners.takeOn(newPartner())).id > 0)
  })
})

async function thirdLevel(): Promise<number> {
  const first = await makeAgent(office)
  const second = await makeAgent(office, { parentId: first.id })
  return (await makeAgent(office, { parentId: second.id })).id
}

async function suspended(): Promise<number> {
  const { id } = await makeAgent(office)
  await operator.partners.suspend({ id, reason: '试' })
  return id
}

async function closed(): Promise<number> {
  const { id } = await makeAgent(office)
  await office.owner.query(`update agents set status = 'closed' where id = $1`, [id])
  return id
}

describe('an owner who is invited', () => {
  test('sets a password and signs in, once', async () => {
    const input = newPartner()
    const { id } = await operator.partners.takeOn(input)
    const token = await invitationToken(office, id)
    assert.deepEqual(await nobody.partners.invitation({ token }), {
      companyName: input.companyName,
      loginName: input.ownerLoginName,
      name: input.ownerName,
    })
    const answers = await Promise.allSettled([setPassword(token), setPassword(token)])
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1)
    const owner = office.as(await office.login(input.ownerLoginName, PASSWORD))
    const { agentId, userType } = await owner.access.current()
    assert.deepEqual([agentId, userType], [id, 0])
    for (const call of [() => nobody.partners.invitation({ token }), () => setPassword(token)])
      assert.equal(await refusalOf(call()), 'INVITATION_USED')
    assert.equal(await refusalOf(operator.partners.invite({ id })), 'OWNER_HERE')
    assert.equal(await refusalOf(operator.partners.revokeInvitation({ id })), 'OWNER_HERE')
  })

  test('has a link that who made it finds again, and nobody else; with what became of its SMS', async () => {
    const input = newPartner()
    const { id } = await operator.partners.takeOn(input)
    const link = await operator.partners.invitationLink({ id })
    assert.ok(link.url.endsWith(`/invite/${await invitationToken(office, id)}`))
    assert.equal((await operator.partners.invitationLink({ id })).url, link.url)
    assert.deepEqual([link.loginName, link.isLocal, link.isReset], [input.ownerLoginName, true, false])
    assert.equal(link.message.state, 'none')
    assert.match(link.message.words, /没有发出：还没有接入短信服务.*首页「开始使用」/)
    const colleague = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
    assert.equal(await refusalOf(colleague.partners.invitationLink({ id })), 'LINK_OTHERS')
    const { rows } = await office.owner.query(
      `select (select json_agg(l) from operation_logs l)::text || (select json_agg(k) from idempotency_keys k)::text as kept,
        (select encode(sealed_token, 'escape') from partner_invitations where agent_id = $1) as sealed`,
      [id],
    )
    const token = link.url.slice(link.url.lastIndexOf('/') + 1)
    assert.ok(!rows[0].kept?.includes(token) && !rows[0].sealed.includes(token), 'kept in the clear')
    const { services } = office.app
    const { providers } = services
    connectSms(office)
    for (const [status, state] of [
      ['queued', 'waiting'],
      ['submitted', 'sent'],
      ['delivered', 'sent'],
      ['failed', 'failed'],
      ['unknown', 'failed'],
    ]) {
      await office.owner.query(`update outbox_messages set status = $2 where agent_id = $1`, [id, status])
      assert.equal((await operator.partners.invitationLink({ id })).message.state, state, status)
    }
    services.providers = providers
    await setPassword(token)
    assert.equal(await refusalOf(operator.partners.invitationLink({ id })), 'OWNER_HERE')
    assert.equal(await count(`partner_invitations where agent_id = $1 and sealed_token is not null`, id), 0)
  })

  test('is given a link to another password, which replaces the earlier one and lets nobody in who is locked out', async () => {
    const input = newPartner()
    const { id } = await operator.partners.takeOn(input)
    assert.equal(await refusalOf(operator.partners.resetLink({ id })), 'OWNER_AWAY')
    await setPassword(await invitationToken(office, id))
    const linkOf = async () => {
      await operator.partners.resetLink({ id })
      const { url, isReset, message } = await operator.partners.invitationLink({ id })
      assert.deepEqual([isReset, message.state], [true, 'none'])
      return url.slice(url.lastIndexOf('/') + 1)
    }
    const [first, second] = [await linkOf(), await linkOf()]
    assert.equal(await refusalOf(setPassword(first)), 'INVITATION_REVOKED')
    assert.equal((await operator.partners.terms({ id })).invitation?.state, 'accepted')
    await office.owner.query('update accounts set enabled = false where agent_id = $1', [id])
    assert.equal(await refusalOf(setPassword(second)), 'INVITATION_REVOKED')
    await office.owner.query('update accounts set enabled = true where agent_id = $1', [id])
    await setPassword(second, 'Andere-5582-strasse')
    await office.login(input.ownerLoginName, 'Andere-5582-strasse')
    const vendor = await makeAgent(office, { operator: true })
    assert.equal(await refusalOf(operator.partners.resetLink({ id: vendor.id })), 'RESET_VENDOR')
  })

  test('is let in by the last invitation alone, until it is revoked', async () => {
    const { id } = await operator.partners.takeOn(newPartner())
    const first = await invitationToken(office, id)
    assert.equal(await refusalOf(operator.partners.invite({ id })), 'INVITED_TOO_SOON')
    await office.owner.query(
      `update partner_invitations set created_at = created_at - interval '2 minutes' where agent_id = $1`,
      [id],
    )
    await operator.partners.invite({ id })
    const second = await invitationToken(office, id)
    assert.notEqual(second, first)
    assert.equal(await refusalOf(nobody.partners.invitation({ token: first })), 'INVITATION_REVOKED')
    assert.ok(await nobody.partners.invitation({ token: second }))
    await operator.partners.revokeInvitation({ id })
    assert.equal(await refusalOf(setPassword(second)), 'INVITATION_REVOKED')
    assert.equal(await refusalOf(operator.partners.revokeInvitation({ id })), 'NOTHING_OPEN')
    await operator.partners.invite({ id })
    assert.ok(await setPassword(await invitationToken(office, id)))
  })

  test('cannot come around it by a forgotten password', async () => {
    const input = newPartner()
    await operator.partners.takeOn(input)
    await assert.rejects(office.login(input.ownerLoginName, PASSWORD))
    assert.equal(
      await count(
        `accounts where login_name = $1 and password_hash = '' and not enabled`,
        input.ownerLoginName,
      ),
      1,
    )
  })

  test('is told why an address lets nobody in', async () => {
    const { id } = await operator.partners.takeOn(newPartner())
    const token = await invitationToken(office, id)
    assert.equal(await refusalOf(nobody.partners.invitation({ token: `${token}x` })), 'INVITATION_UNKNOWN')
    assert.equal(await refusalOf(nobody.partners.invitation({ token: '' })), 'INVITATION_UNKNOWN')
    assert.equal(await refusalOf(setPassword(token, '123456')), 'PASSWORD_GUESSED')
    await office.owner.query(
      `update partner_invitations set expires_at = now() - interval '1 second' where agent_id = $1`,
      [id],
    )
    assert.equal(await refusalOf(setPassword(token)), 'INVITATION_EXPIRED')
  })

  test('stands in no list with the token', async () => {
    const { id } = await operator.partners.takeOn(newPartner())
    const token = await invitationToken(office, id)
    const { rows } = await operator.messageDesk.log({ kind: 'invitation', size: 100 })
    assert.ok(rows.length > 0)
    assert.ok(!JSON.stringify(rows).includes(token))
  })
})
