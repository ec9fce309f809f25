import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import test, { after, before } from 'node:test'
import readXlsx from 'read-excel-file/node'
import { TRANSFER_KINDS } from '#features/money/ledger/rules.ts'
import { formatDay } from '#kit/time.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { credit, type MadeAgent, makeAccount, makeAgent, newMerchantForm } from '#test/make.ts'
import { renewShop } from '#test/make-settlement.ts'
import { call } from '#test/walk.ts'
import { monthAfter } from './rules.ts'

let office: Office
let agent: MadeAgent
let cookie: string
let me: Client

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office, { tokens: 10_000, sms: 500, levelId: 3 })
  cookie = await office.login(agent.loginName)
  me = office.as(cookie)
})
after(() => office.stop())

const thisMonth = formatDay(new Date()).slice(0, 7)
const file = (ending: 'xlsx' | 'pdf', input: Record<string, unknown>, as = cookie) =>
  call(office.app, as, { method: 'GET', path: `/settlement/statement.${ending}` }, input)

/** Puts everything that an agent moved to one instant, as if it had happened then, in the order it did. */
async function happenedAt(agentId: number, document: string, instant: string): Promise<void> {
  const { owner } = office
  for (const table of ['ledger_transfers', 'ledger_entries']) {
    const which =
      table === 'ledger_transfers'
        ? 'document = $2'
        : 'transfer_id in (select id from ledger_transfers where document = $2)'
    await owner.query(`update ${table} set created_at = $1 where ${which}`, [instant, document])
  }
  await owner.query('delete from ledger_days where agent_id = $1', [agentId])
  await owner.query(
    `insert into ledger_days (agent_id, day, asset, kind, transfers, income, spent)
     select t.agent_id, (t.created_at at time zone 'Asia/Shanghai')::date, t.asset, t.kind, count(*),
       coalesce(sum(t.amount) filter (where i.owner_kind = 'agent' and i.owner_id = t.agent_id), 0),
       coalesce(sum(t.amount) filter (where o.owner_kind = 'agent' and o.owner_id = t.agent_id), 0)
     from ledger_transfers t join ledger_accounts o on o.id = t.from_account_id join ledger_accounts i on i.id = t.to_account_id
     where t.agent_id = $1 and (o.owner_kind = 'agent' or i.owner_kind = 'agent') group by 1, 2, 3, 4`,
    [agentId],
  )
}

test('what was there, what moved by kind, and what is there add up, in tokens and in SMS credit', async () => {
  const quote = await me.selling.quote(newMerchantForm({ smsCount: 40 }))
  const { id } = await me.selling.add({ orderNo: quote.orderNo })
  const renewed = await renewShop(me, id)
  const again = await renewShop(me, id)
  await me.settlement.undo({ kind: 'version', orderNo: again.orderNo, reason: '试' })
  await me.sms.buy({ merchantId: id, packageId: 1, totalCents: 1_200 })
  const statement = await me.settlement.statement({ month: thisMonth })
  assert.equal(statement.companyName, `代理商${agent.id}`)
  const [tokens, sms] = statement.sections
  assert.ok(tokens && sms)
  const spent = quote.totalCents + renewed.totalCents + again.totalCents + 1_200
  assert.deepEqual(
    { ...tokens, movements: tokens.movements.length },
    {
      asset: 'token',
      opening: 0,
      closing: 1_000_000 - spent + again.totalCents,
      income: 1_000_000 + again.totalCents,
      spent,
      addsUp: true,
      movements: 5,
    },
  )
  const renewals = tokens.movements.find(({ kind }) => kind === 'version-renew')
  assert.deepEqual(renewals, {
    kind: 'version-renew',
    name: TRANSFER_KINDS['version-renew'],
    count: 2,
    income: 0,
    spent: renewed.totalCents + again.totalCents,
  })
  assert.deepEqual([sms.opening, sms.income, sms.spent, sms.closing, sms.addsUp], [0, 500, 40, 460, true])
  assert.deepEqual(await me.ledger.wallet(), { tokenCents: tokens.closing, sms: sms.closing })
  const latest = statement.sales.at(-1)
  const sold = quote.totalCents + renewed.totalCents
  assert.deepEqual(latest, { month: thisMonth, cents: [sold, 0, 1_200] })
  assert.equal(statement.sales.length, 12)
  assert.equal(statement.sales[0]?.month, monthAfter(thisMonth, -11))
  await office.verifyLedger()
})

test('a month begins and ends at midnight of Shanghai', async () => {
  const one = await makeAgent(office, {})
  const amounts = { last: 100, first: 20, end: 3 }
  const documents: string[] = []
  for (const amount of Object.values(amounts)) {
    await credit(office, one.id, 'token', amount)
    const { rows } = await office.owner.query<{ document: string }>(
      'select document from ledger_transfers where agent_id = $1 order by id desc limit 1',
      [one.id],
    )
    documents.push(rows[0]?.document ?? '')
  }
  await happenedAt(one.id, documents[0] ?? '', '2026-02-28T15:59:59.999Z')
  await happenedAt(one.id, documents[1] ?? '', '2026-02-28T16:00:00.000Z')
  await happenedAt(one.id, documents[2] ?? '', '2026-03-31T15:59:59.999Z')
  const client = office.as(await office.login(one.loginName))
  const figures = async (month: string) => {
    const { sections, from, to } = await client.settlement.statement({ month })
    const [tokens] = sections
    return [tokens?.opening, tokens?.income, tokens?.closing, tokens?.addsUp, from, to]
  }
  assert.deepEqual(await figures('2026-01'), [0, 0, 0, true, '2026-01-01', '2026-01-31'])
  assert.deepEqual(await figures('2026-02'), [0, 100, 100, true, '2026-02-01', '2026-02-28'])
  assert.deepEqual(await figures('2026-03'), [100, 23, 123, true, '2026-03-01', '2026-03-31'])
  assert.deepEqual(await figures('2026-04'), [123, 0, 123, true, '2026-04-01', '2026-04-30'])
})

test('without a month it is the last whole one; without any movement it is all zeros', async () => {
  const fresh = await makeAgent(office)
  const client = office.as(await office.login(fresh.loginName))
  const statement = await client.settlement.statement({})
  assert.equal(statement.month, monthAfter(thisMonth, -1))
  assert.deepEqual(
    statement.sections.map(({ opening, closing, addsUp, movements }) => [
      opening,
      closing,
      addsUp,
      movements,
    ]),
    [
      [0, 0, true, []],
      [0, 0, true, []],
    ],
  )
})

test('figures that do not lead to the closing balance are said not to', async () => {
  const one = await makeAgent(office, { tokens: 5 })
  await office.owner.query('update ledger_days set income = income + 1 where agent_id = $1', [one.id])
  const client = office.as(await office.login(one.loginName))
  const [tokens] = (await client.settlement.statement({ month: thisMonth })).sections
  assert.equal(tokens?.addsUp, false)
  await office.owner.query('update ledger_days set income = income - 1 where agent_id = $1', [one.id])
})

test('an agent asks for itself alone, staff for anyone, and wrong months are refused', async () => {
  const parent = await makeAgent(office)
  const child = await makeAgent(office, { parentId: parent.id, tokens: 5 })
  const upper = office.as(await office.login(parent.loginName))
  assert.equal(await refusalOf(upper.settlement.statement({ agentId: child.id })), 'NOT_FOUND')
  assert.equal(await refusalOf(me.settlement.statement({ agentId: child.id })), 'NOT_FOUND')
  const staff = await makeAgent(office, { staff: true })
  const desk = office.as(await office.login(staff.loginName))
  const seen = await desk.settlement.statement({ agentId: child.id, month: thisMonth })
  assert.deepEqual([seen.agentId, seen.sections[0]?.closing], [child.id, 500])
  for (const month of ['2026-13', '2026', 'x'])
    assert.equal(await refusalOf(me.settlement.statement({ month })), 'INPUT_INVALID')
})

test('the Excel file holds the same lines', async () => {
  const { sections } = await me.settlement.statement({ month: thisMonth })
  const answer = await file('xlsx', { month: thisMonth })
  assert.equal(answer.status, 200)
  const sheets = (await readXlsx(answer.bytes)) as unknown as { data: unknown[][] }[]
  const [head, ...lines] = sheets[0]?.data ?? []
  assert.deepEqual(head?.slice(0, 5), ['代理商', '代理商编号', '月份', '项目', '笔数（笔）'])
  const [tokens, sms] = sections
  assert.ok(tokens && sms)
  assert.deepEqual(
    lines.map(line => line[3]),
    [
      '期初余额',
      ...tokens.movements.map(({ name }) => name),
      '合计',
      '期末余额',
      '短信 期初余额',
      ...sms.movements.map(({ name }) => `短信 ${name}`),
      '短信 合计',
      '短信 期末余额',
    ],
  )
  assert.ok(lines.every(line => line[0] === `代理商${agent.id}` && line[1] === agent.id))
  const lineOf = (name: string) => lines.find(line => line[3] === name)?.slice(4) ?? []
  const cents = (cell: unknown) => Math.round(Number(cell) * 100)
  assert.deepEqual(lineOf('合计').slice(1, 3).map(cents), [tokens.income, tokens.spent])
  assert.equal(cents(lineOf('期末余额')[3]), tokens.closing)
  assert.deepEqual(lineOf('短信 合计').slice(4, 7), [sms.income, sms.spent, null])
  assert.equal(lineOf('短信 期末余额')[6], sms.closing)
})

test('what was handed down comes from above on the statement of who got it', async () => {
  const upper = await makeAgent(office, { tokens: 100 })
  const middle = await makeAgent(office, { parentId: upper.id })
  const lower = await makeAgent(office, { parentId: middle.id })
  const as = async ({ loginName }: MadeAgent) => office.as(await office.login(loginName))
  const hand = async (from: MadeAgent, to: MadeAgent) =>
    (await as(from)).settlement.allocate({ agentId: to.id, amountCents: 500, remark: '' })
  const names = async (of: MadeAgent) =>
    (await (await as(of)).settlement.statement({ month: thisMonth })).sections[0]?.movements.map(
      ({ name }) => name,
    )
  await hand(upper, middle)
  assert.deepEqual(await names(middle), ['上级划拨'])
  await hand(middle, lower)
  assert.deepEqual(await names(upper), ['运营充值', '下级划拨'])
  assert.deepEqual(await names(middle), ['上下级划拨'])
  assert.deepEqual(await names(lower), ['上级划拨'])
})

test('the PDF is sent with session, permission and log as any file, and only of what is seen', async () => {
  const answer = await file('pdf', { month: thisMonth })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers['content-type'], 'application/pdf')
  assert.match(String(answer.headers['content-disposition']), /%E5%AF%B9%E8%B4%A6%E5%8D%95-[\d-]+\.pdf$/)
  assert.equal(answer.bytes.subarray(0, 5).toString(), '%PDF-')
  assert.match(answer.bytes.subarray(-8).toString(), /%%EOF/)
  assert.match(answer.bytes.toString('latin1'), /NotoSansHans-Regular/)
  const { rows } = await office.owner.query(
    `select subject from operation_logs where title = '导出月度对账单（PDF）' and agent_id = $1`,
    [agent.id],
  )
  assert.deepEqual(rows, [{ subject: '月度对账单' }])
  const other = await makeAgent(office)
  const otherCookie = await office.login(other.loginName)
  assert.equal((await file('pdf', { month: thisMonth, agentId: agent.id }, otherCookie)).code, 'NOT_FOUND')
  assert.equal((await file('pdf', { month: 'x' })).code, 'INPUT_INVALID')
  const sub = await makeAccount(office, agent.id, { nodeIds: [42] })
  const subCookie = await office.login(sub.loginName)
  assert.equal((await file('pdf', { month: thisMonth }, subCookie)).code, 'FORBIDDEN')
})

/** Its reader is no dependency of the product; where it is installed, the text is read back. */
function hasReader(): boolean {
  try {
    execFileSync('pdftotext', ['-v'], { stdio: 'ignore' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

test('the text of the PDF can be read back, Chinese too', { skip: !hasReader() }, async () => {
  const { sections } = await me.settlement.statement({ month: thisMonth })
  const { bytes } = await file('pdf', { month: thisMonth })
  const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: bytes }).toString()
  for (const wanted of [
    '月度对账单',
    `代理商${agent.id}`,
    '期初余额',
    '期末余额',
    '版本续费',
    '第 1 页，共 1 页',
  ])
    assert.ok(text.includes(wanted), `${wanted} in ${text}`)
  assert.ok(text.includes((Number(sections[0]?.closing) / 100).toLocaleString('en-US')), text)
})

test('several papers at once are drawn one by one', async () => {
  const answers = await Promise.all(Array.from({ length: 4 }, () => file('pdf', { month: thisMonth })))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  )
})
