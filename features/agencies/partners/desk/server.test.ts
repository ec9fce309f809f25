// The page of a partner through the real router: what is counted, who works there, what staff keep of it, who stands under whom, and
// the reminder of its contract.
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import sharp from 'sharp'
import { addDays, formatDay } from '#kit/time.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { PDF } from '#test/make-papers.ts'
import { remindOfContracts } from './jobs.ts'

let office: Office
let operator: Client
let operatorCookie: string
let operatorAgent: MadeAgent
let staff: Client
before(async () => {
  office = await openOffice()
  operatorAgent = await makeAgent(office, { operator: true })
  operatorCookie = await office.login(operatorAgent.loginName)
  operator = office.as(operatorCookie)
  staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
})
after(() => office.stop())

const today = formatDay(new Date())
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

describe('what is counted of a partner', () => {
  test('shops by their state, sales, and how long the balance lasts', async () => {
    const parent = await makeAgent(office)
    const agent = await makeAgent(office, { tokens: 3_000, parentId: parent.id })
    await makeAgent(office, { parentId: agent.id })
    await makeMerchant(office, agent.id, { expires_at: inDays(10) })
    await makeMerchant(office, agent.id, { expires_at: inDays(-10) })
    await makeMerchant(office, agent.id, { expires_at: inDays(300), status: 'disabled' })
    const me = office.as(await office.login(agent.loginName))
    const { orderNo } = await me.selling.quote(newMerchantForm())
    await me.selling.add({ orderNo })
    const { totalCents } = (await me.orders.list({})).rows[0] ?? { totalCents: 0 }
    assert.ok(totalCents > 0)
    const { figures, parent: above, isVendor, ...row } = await staff.partnerDesk.details({ id: agent.id })
    assert.deepEqual([above?.id, isVendor, row.status], [parent.id, false, 'active'])
    assert.deepEqual(
      [figures.shops, figures.ending, figures.expired, figures.disabled, figures.children, figures.people],
      [4, 1, 1, 1, 1, 1],
    )
    assert.deepEqual(
      [figures.salesCents, figures.beforeCents, figures.spentCents],
      [totalCents, 0, totalCents],
    )
    assert.equal(figures.daysLeft, Math.floor(((300_000 - totalCents) * 30) / totalCents))
    assert.equal(figures.boughtOn, today)
    assert.equal(row.tokenBalanceCents, 300_000 - totalCents)
  })

  test('the whole number of its contact is for who changes it', async () => {
    const { id } = await makeAgent(office)
    assert.match((await operator.partnerDesk.details({ id })).mobile, /^\d{11}$/)
    assert.match((await staff.partnerDesk.details({ id })).mobile, /\*/)
  })

  test('nobody else looks: an agency is refused, one that is not there is not found', async () => {
    const { id, loginName } = await makeAgent(office)
    const mine = office.as(await office.login(loginName))
    for (const call of [
      () => mine.partnerDesk.details({ id }),
      () => mine.partnerDesk.notes({ id }),
      () => mine.partnerDesk.papers({ id }),
      () => mine.partnerDesk.tree({}),
    ])
      assert.equal(await refusalOf(call()), 'FORBIDDEN')
    assert.equal(await refusalOf(operator.partnerDesk.details({ id: 99_999_999 })), 'NOT_FOUND')
  })
})

test('people stand with where they are signed in, a page at a time; their sign-ins with those that failed', async () => {
  const agent = await makeAgent(office)
  for (let i = 0; i < 21; i++) await makeAccount(office, agent.id)
  await office.login(agent.loginName)
  await office.app.http.inject({
    method: 'POST',
    url: '/api/session',
    headers: { 'x-requested-with': 'partner-office' },
    payload: { loginName: agent.loginName, password: 'wrong-password' },
  })
  const first = await staff.partnerDesk.people({ id: agent.id })
  assert.deepEqual([first.rows.length, first.more], [20, true])
  const [owner] = first.rows
  assert.deepEqual([owner?.id, owner?.isOwner, owner?.devices], [agent.accountId, true, 1])
  assert.match(owner?.mobile ?? '', /\*/)
  const rest = await staff.partnerDesk.people({ id: agent.id, after: first.rows.at(-1)?.id ?? 0 })
  assert.deepEqual([rest.rows.length, rest.more], [2, false])
  const { rows, more } = await staff.partnerDesk.signIns({ id: agent.id })
  assert.deepEqual(
    rows.map(({ outcome, loginName }) => [outcome, loginName]),
    [
      ['password', agent.loginName],
      ['done', agent.loginName],
    ],
  )
  assert.equal(more, false)
})

describe('notes', () => {
  test('are added with author and time, the latest first, and the partner sees neither them nor their log', async () => {
    const agent = await makeAgent(office)
    await staff.partnerDesk.writeNote({ id: agent.id, text: '第一次通话' })
    await staff.partnerDesk.writeNote({ id: agent.id, text: '  第二次通话 ' })
    const { rows } = await operator.partnerDesk.notes({ id: agent.id })
    assert.deepEqual(
      rows.map(({ text }) => text),
      ['第二次通话', '第一次通话'],
    )
    assert.ok(rows.every(({ createdByName, createdAt }) => createdByName !== '' && createdAt !== ''))
    assert.equal(await refusalOf(staff.partnerDesk.writeNote({ id: agent.id, text: ' ' })), 'INPUT_INVALID')
    const told = await operator.operationLog.history({ kind: 'agent', id: String(agent.id) })
    assert.ok(told.rows.some(({ title }) => title === '记录合作伙伴备注'))
    const mine = office.as(await office.login(agent.loginName))
    const own = await mine.operationLog.history({ kind: 'agent', id: String(agent.id) })
    assert.ok(!own.rows.some(({ title }) => title === '记录合作伙伴备注'))
  })

  test('are kept from an agency by the database too', async () => {
    const agent = await makeAgent(office)
    await staff.partnerDesk.writeNote({ id: agent.id, text: '内部' })
    const rows = await office.app.services.database.read(
      { agentId: agent.id, scope: 'own' },
      async ({ client }) => (await client.query('select * from partner_notes')).rows,
    )
    assert.deepEqual(rows, [])
  })
})

describe('papers', () => {
  const send = (cookie: string, type: string, payload: Buffer) =>
    office.app.http.inject({
      method: 'POST',
      url: '/api/files?purpose=partnerPaper',
      headers: { 'x-requested-with': 'partner-office', 'content-type': type, cookie },
      payload,
    })
  const fetchFile = (cookie: string, url: string) => office.app.http.inject({ url, headers: { cookie } })
  const png = () =>
    sharp({ create: { width: 40, height: 30, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()

  test('a PDF is kept as it is, a picture as one of ours; both are taken along by their paper alone, and that is logged', async () => {
    const agent = await makeAgent(office)
    for (const [type, bytes, ending] of [
      ['application/pdf', PDF, 'pdf'],
      ['image/png', await png(), 'png'],
    ] as const) {
      const sent = await send(operatorCookie, type, bytes)
      assert.equal(sent.statusCode, 200, sent.body)
      const fileId = sent.json().id as string
      const { id: paperId } = await operator.partnerDesk.addPaper({
        id: agent.id,
        kind: 'contract',
        name: `合同 ${ending}`,
        fileId,
      })
      const url = `/api/agents/${agent.id}/papers/${paperId}/file`
      const got = await fetchFile(operatorCookie, url)
      assert.equal(got.statusCode, 200, got.body)
      assert.match(String(got.headers['content-disposition']), new RegExp(`attachment.*\\.${ending}$`))
      if (ending === 'pdf') assert.ok(got.rawPayload.equals(PDF))
      else assert.equal((await sharp(got.rawPayload).metadata()).format, 'png')
      // Not by its id alone, not even by who sent it.
      assert.equal((await fetchFile(operatorCookie, `/api/files/${fileId}`)).statusCode, 404)
      const theirs = await office.login(agent.loginName)
      assert.equal((await fetchFile(theirs, url)).statusCode, 403)
      assert.equal((await fetchFile(theirs, `/api/files/${fileId}`)).statusCode, 404)
    }
    const { rows } = await staff.partnerDesk.papers({ id: agent.id })
    assert.deepEqual(
      rows.map(({ name, isPdf }) => [name, isPdf]),
      [
        ['合同 png', false],
        ['合同 pdf', true],
      ],
    )
    const log = await operator.operationLog.list({ search: '下载合作伙伴资料' })
    assert.equal(log.rows.filter(({ summary }) => summary.includes(String(agent.id))).length, 2)
    const [last] = rows
    await operator.partnerDesk.removePaper({ id: agent.id, paperId: last?.id ?? 0 })
    assert.equal((await staff.partnerDesk.papers({ id: agent.id })).rows.length, 1)
  })

  test('what is neither, is broken or too large is refused, and so is a file of another purpose', async () => {
    const { id } = await makeAgent(office)
    const broken = Buffer.from('%PDF-1.7\n')
    const large = Buffer.concat([PDF, Buffer.alloc(5 * 1024 * 1024), PDF])
    for (const [type, bytes, code] of [
      ['application/pdf', Buffer.from('<html>'), 'PICTURE_FORMAT'],
      ['application/pdf', broken, 'PICTURE_BROKEN'],
      ['application/pdf', large, 'PICTURE_TOO_LARGE'],
      ['text/html', Buffer.from('<html>'), 'PICTURE_FORMAT'],
    ] as const) {
      const answer = await send(operatorCookie, type, bytes)
      assert.equal(answer.json().code, code, answer.body)
    }
    const feedback = await office.app.http.inject({
      method: 'POST',
      url: '/api/files?purpose=feedback',
      headers: {
        'x-requested-with': 'partner-office',
        'content-type': 'application/pdf',
        cookie: operatorCookie,
      },
      payload: PDF,
    })
    assert.equal(feedback.json().code, 'PICTURE_FORMAT', feedback.body)
    assert.equal(
      await refusalOf(
        operator.partnerDesk.addPaper({
          id,
          kind: 'licence',
          name: '执照',
          fileId: '00000000-0000-4000-8000-000000000000',
        }),
      ),
      'PAPER_FILE_UNKNOWN',
    )
  })

  test('an agency sends none', async () => {
    const cookie = await office.login((await makeAgent(office)).loginName)
    assert.equal((await send(cookie, 'application/pdf', PDF)).json().code, 'FORBIDDEN')
  })
})

test('the tree shows a level at a time, with what is below, and not the vendor', async () => {
  const top = await makeAgent(office)
  const middle = await makeAgent(office, { parentId: top.id })
  const low = await makeAgent(office, { parentId: middle.id })
  await makeMerchant(office, low.id)
  const tree = async (input: Parameters<Client['partnerDesk']['tree']>[0]) =>
    (await staff.partnerDesk.tree(input)).rows.map(({ id, children, shops }) => [id, children, shops])
  assert.deepEqual(await tree({ after: top.id - 1, below: true }), [[top.id, 1, 0]])
  assert.deepEqual(await tree({ parentId: top.id }), [[middle.id, 1, 0]])
  assert.deepEqual(await tree({ parentId: middle.id }), [[low.id, 0, 1]])
  assert.deepEqual(await tree({ parentId: low.id }), [])
  const ids = (await staff.partnerDesk.tree({})).rows.map(({ id }) => id)
  assert.ok(!ids.includes(operatorAgent.id))
})

describe('contracts', () => {
  const endsIn = (id: number, days: number) =>
    office.owner.query('update agents set contract_to = $2 where id = $1', [id, addDays(today, days)])
  const titlesOf = async (accountId: number, body: RegExp) => {
    const { rows } = await office.owner.query<{ body: string }>(
      `select body from notices where account_id = $1 and topic = 'Partner_Notify' order by id`,
      [accountId],
    )
    return rows.filter(row => body.test(row.body)).length
  }

  test('are told of once for each mark, to the operator and the owner, and not of a closed partner', async () => {
    const [soon, late, closed] = [await makeAgent(office), await makeAgent(office), await makeAgent(office)]
    const sub = await makeAccount(office, soon.id)
    await endsIn(soon.id, 20)
    await endsIn(late.id, 40)
    await endsIn(closed.id, 5)
    await office.owner.query(`update agents set status = 'closed' where id = $1`, [closed.id])
    const { services } = office.app
    await remindOfContracts(services, today)
    await remindOfContracts(services, today)
    const of = (id: number) => new RegExp(`代理商${id}的合同`)
    const count = (id: number) => titlesOf(operatorAgent.accountId, of(id))
    assert.deepEqual([await count(soon.id), await count(late.id), await count(closed.id)], [1, 0, 0])
    assert.equal(await titlesOf(soon.accountId, /贵公司的合作合同/), 1)
    assert.equal(await titlesOf(sub.accountId, /./), 0)
    await remindOfContracts(services, addDays(today, 15))
    await remindOfContracts(services, addDays(today, 20))
    assert.deepEqual([await count(soon.id), await count(late.id)], [3, 1])
    assert.equal(await titlesOf(soon.accountId, /今天到期/), 1)
  })

  test('a new end is told of anew, and the list has those that are about to end', async () => {
    const agent = await makeAgent(office)
    await endsIn(agent.id, 3)
    await remindOfContracts(office.app.services, today)
    await endsIn(agent.id, 10)
    await remindOfContracts(office.app.services, today)
    assert.equal(await titlesOf(agent.accountId, /贵公司的合作合同/), 2)
    const listed = async () =>
      (await staff.partnerDesk.list({ ending: true, search: String(agent.id) })).rows.map(({ id }) => id)
    assert.deepEqual(await listed(), [agent.id])
    await endsIn(agent.id, 31)
    assert.deepEqual(await listed(), [])
    await endsIn(agent.id, -1)
    assert.deepEqual(await listed(), [])
  })
})
