import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import sharp from 'sharp'
import { brandOf } from '#features/office/agents/server-brand.ts'
import { readAsSystem } from '#server/system.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent } from '#test/make.ts'
import { codeOfPhone, makePass } from '#test/make-codes.ts'
import { phoneSubject } from './rules.ts'

const OLD = '13800007777'
const NEW = '13800008888'
const FORM = {
  contactName: '段华丽',
  telephone: '0755-12345678',
  districtCode: '440305',
  address: '科技园 1 号',
  domainLabel: '',
  hotline: '400-123-4567',
  qq: '10001',
  wechat: 'xin_yuan',
  logoId: null,
}

let office: Office
let agent: MadeAgent
let cookie: string
let owner: Client

before(async () => {
  office = await openOffice({ settings: { AGENT_DOMAIN_SUFFIX: 'partners.example.com' } })
})
beforeEach(async () => {
  agent = await makeAgent(office)
  await office.owner.query('update accounts set mobile = $2 where id = $1', [agent.accountId, OLD])
  await office.owner.query('delete from phone_change_codes')
  cookie = await office.login(agent.loginName)
  owner = office.as(cookie)
})
after(() => office.stop())

const lastLog = async () => {
  const { rows } = await office.owner.query<{
    title: string
    outcome: string
    changes: object[]
    objects: string[]
  }>(
    'select title, outcome, changes, objects from operation_logs where agent_id = $1 order by id desc limit 1',
    [agent.id],
  )
  return rows[0]
}

test('an agency changes what it says of itself, and the log tells it in words', async () => {
  await owner.agentProfile.change({ ...FORM, domainLabel: ' XinYuan ' })
  const found = await owner.agentProfile.find()
  assert.deepEqual(
    { ...FORM, domainLabel: 'xinyuan' },
    Object.fromEntries(Object.keys(FORM).map(key => [key, found[key as keyof typeof found]])),
  )
  assert.equal(found.domainSuffix, 'partners.example.com')
  assert.equal(found.ownPhone, '138****7777')
  const log = await lastLog()
  assert.deepEqual(log?.objects, [`agent:${agent.id}`])
  assert.ok(
    log.changes.some(change => JSON.stringify(change).includes('广东省深圳市南山区')),
    JSON.stringify(log),
  )
  const rows = () => office.owner.query('select 1 from operation_logs where agent_id = $1', [agent.id])
  const before = (await rows()).rowCount
  await owner.agentProfile.change({ ...FORM, domainLabel: 'xinyuan' })
  assert.equal((await rows()).rowCount, before, 'what stood already leaves no row')
  await owner.agentProfile.change(FORM)
  assert.equal((await owner.agentProfile.find()).domainLabel, null, 'a domain is given up')
})

test('what is the operator’s own stays, whatever is sent along', async () => {
  const { levelName: before } = await owner.agentProfile.find()
  const sent = { ...FORM, companyName: '别的公司', levelId: 5, isVendorStaff: true, enabled: false }
  await owner.agentProfile.change(sent)
  const { companyName, levelName } = await owner.agentProfile.find()
  assert.deepEqual([companyName, levelName], [`代理商${agent.id}`, before])
})

test('a domain belongs to whoever took it first, also where two take it at once', async () => {
  const other = await makeAgent(office)
  const theirs = office.as(await office.login(other.loginName))
  await theirs.agentProfile.change({ ...FORM, domainLabel: 'first-one' })
  assert.equal(
    await refusalOf(owner.agentProfile.change({ ...FORM, domainLabel: 'First-One' })),
    'DOMAIN_TAKEN',
  )
  const asked = async (label: string) => (await owner.agentProfile.domain({ label })).refusal
  assert.equal(await asked(' FIRST-ONE'), 'DOMAIN_TAKEN')
  assert.equal(await asked('www'), 'DOMAIN_RESERVED')
  assert.equal(await asked('another'), null)
  const both = await Promise.allSettled([
    owner.agentProfile.change({ ...FORM, domainLabel: 'at-once' }),
    theirs.agentProfile.change({ ...FORM, domainLabel: 'at-once' }),
  ])
  const failed = both.filter(({ status }) => status === 'rejected')
  assert.equal(failed.length, 1)
  assert.equal((failed[0] as PromiseRejectedResult).reason.code, 'DOMAIN_TAKEN')
})

test('another agency’s picture is no logo; one’s own is shown to everybody', async () => {
  const other = await makeAgent(office)
  const upload = async (as: string) => {
    const payload = await sharp({ create: { width: 260, height: 70, channels: 3, background: '#246' } })
      .png()
      .toBuffer()
    const headers = { 'x-requested-with': 'partner-office', 'content-type': 'image/png', cookie: as }
    const answer = await office.app.http.inject({
      method: 'POST',
      url: '/api/files?purpose=logo',
      headers,
      payload,
    })
    return (answer.json() as { id: string }).id
  }
  const theirs = await upload(await office.login(other.loginName))
  assert.equal(await refusalOf(owner.agentProfile.change({ ...FORM, logoId: theirs })), 'LOGO_UNKNOWN')
  const logoId = await upload(cookie)
  await owner.agentProfile.change({ ...FORM, logoId })
  const brand = await readAsSystem(office.app.services, ctx => brandOf(ctx, agent.id))
  assert.deepEqual(brand, { companyName: `代理商${agent.id}`, logoId })
  assert.equal((await owner.access.current()).logoId, logoId)
})

test('people of an agency see its data with the page, and change what their role lets them', async () => {
  const as = async (nodeIds: number[]) =>
    office.as(await office.login((await makeAccount(office, agent.id, { nodeIds })).loginName))
  const reader = await as([27, 51])
  assert.equal((await reader.agentProfile.find()).agentId, agent.id)
  assert.equal(await refusalOf(reader.agentProfile.change(FORM)), 'FORBIDDEN')
  assert.equal(await refusalOf((await as([27])).agentProfile.find()), 'FORBIDDEN')
  const writer = await as([27, 51, 513])
  await writer.agentProfile.change({ ...FORM, contactName: '小李' })
  assert.equal((await owner.agentProfile.find()).contactName, '小李')
})

const pass = (step: 'old' | 'new', accountId = agent.accountId) =>
  makePass(office, 'code', phoneSubject(accountId, step))

async function bothCodes() {
  await owner.agentProfile.sendPhoneCode({ step: 'old', captcha: await pass('old') })
  await owner.agentProfile.sendPhoneCode({ step: 'new', phone: NEW, captcha: await pass('new') })
  return { oldCode: await codeOfPhone(office, OLD), newCode: await codeOfPhone(office, NEW) }
}

const mobiles = async () => {
  const { rows } = await office.owner.query<{ own: string; company: string }>(
    'select a.mobile as own, g.mobile as company from accounts a join agents g on g.id = a.agent_id where a.id = $1',
    [agent.accountId],
  )
  return rows[0]
}

test('a number is changed with a code to each; both are told, the agency’s follows, and codes work once', async () => {
  const codes = await bothCodes()
  assert.equal((await owner.access.current()).phoneLastFour, OLD.slice(-4))
  // As when the database's word of it is late.
  await office.owner.query('alter table accounts disable trigger accounts_change')
  await office.owner.query('alter table agents disable trigger agents_change')
  assert.deepEqual(await owner.agentProfile.changePhone({ phone: NEW, ...codes }), { phone: '138****8888' })
  assert.deepEqual(await mobiles(), { own: NEW, company: NEW })
  assert.equal((await owner.access.current()).phoneLastFour, NEW.slice(-4))
  await office.owner.query('alter table accounts enable trigger accounts_change')
  await office.owner.query('alter table agents enable trigger agents_change')
  const { rows } = await office.owner.query<{ phone: string; text: string; payer: string }>(
    `select phone, text, payer from outbox_messages where kind = 'account-notice' and agent_id = $1 order by id`,
    [agent.id],
  )
  assert.deepEqual(
    rows.map(({ phone, payer }) => [phone, payer]),
    [
      [OLD, 'vendor'],
      [NEW, 'vendor'],
    ],
  )
  for (const { text } of rows) assert.ok(text.includes('138****8888') && !text.includes(NEW), text)
  const { rows: told } = await office.owner.query('select title from notices where account_id = $1', [
    agent.accountId,
  ])
  assert.deepEqual(told, [{ title: '手机号已更换' }])
  assert.deepEqual((await lastLog())?.objects, [`account:${agent.accountId}`, `agent:${agent.id}`])
  assert.equal(await refusalOf(owner.agentProfile.changePhone({ phone: OLD, ...codes })), 'CODE_WRONG')
})

test('neither code alone, nor one for another number, changes it; a wrong try is counted and stands in the log', async () => {
  const { oldCode, newCode } = await bothCodes()
  const wrong = (code: string) => (code === '000000' ? '000001' : '000000')
  const change = (form: object) =>
    refusalOf(owner.agentProfile.changePhone({ phone: NEW, oldCode, newCode, ...form }))
  assert.equal(await change({ oldCode: wrong(oldCode) }), 'CODE_WRONG')
  assert.equal((await lastLog())?.outcome, 'refused')
  assert.equal(await change({ phone: '13800009999' }), 'CODE_WRONG')
  for (let i = 0; i < 4; i++) assert.equal(await change({ newCode: wrong(newCode) }), 'CODE_WRONG')
  assert.equal(await change({ newCode: wrong(newCode) }), 'CODE_SPENT')
  assert.equal(await change({}), 'CODE_SPENT')
  assert.equal((await mobiles())?.own, OLD)
})

test('no second code to a number within a minute, nor one without a puzzle, nor to the number one has', async () => {
  const send = (input: { step: 'old' | 'new'; phone?: string; captcha?: string }) =>
    refusalOf(owner.agentProfile.sendPhoneCode(input))
  assert.equal(await send({ step: 'old' }), 'CAPTCHA_REQUIRED')
  assert.equal(await send({ step: 'new', phone: OLD, captcha: await pass('new') }), 'PHONE_SAME')
  await owner.agentProfile.sendPhoneCode({ step: 'old', captcha: await pass('old') })
  assert.equal(await send({ step: 'old', captcha: await pass('old') }), 'CODE_TOO_SOON')
})

test('a sub-user changes its own number, and the agency’s stays', async () => {
  const { loginName, accountId } = await makeAccount(office, agent.id, { nodeIds: [27, 51, 514] })
  await office.owner.query('update accounts set mobile = $2 where id = $1', [accountId, '13800006666'])
  const sub = office.as(await office.login(loginName))
  await sub.agentProfile.sendPhoneCode({ step: 'old', captcha: await pass('old', accountId) })
  await sub.agentProfile.sendPhoneCode({ step: 'new', phone: NEW, captcha: await pass('new', accountId) })
  const codes = { oldCode: await codeOfPhone(office, '13800006666'), newCode: await codeOfPhone(office, NEW) }
  const before = await mobiles()
  await sub.agentProfile.changePhone({ phone: NEW, ...codes })
  assert.deepEqual(await mobiles(), before)
})
