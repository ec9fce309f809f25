// The send log, sending again, abnormal messages and what staff decide of them (D2 screen 8, smsManageError).
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import readXlsx from 'read-excel-file/node'
import { type Outcome, recordOutcomes } from '#features/shops/messages/server-outcomes.ts'
import { maskPhone } from '#kit/words/phone.ts'
import { actAsSystem } from '#server/system.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { credit, type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { sendCode } from '#test/make-codes.ts'
import { messageRows, phoneFor, queueCampaign, smsOf, statuses, transfersOf } from '#test/make-messages.ts'

let office: Office
let agent: MadeAgent
let mine: Client
let staff: Client
let operator: Client

before(async () => {
  office = await openOffice()
  staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
  operator = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
})
after(async () => {
  await office.verifyLedger()
  await office.stop()
})

async function freshAgent(pieces = 50): Promise<void> {
  agent = await makeAgent(office)
  await credit(office, agent.id, 'sms', pieces)
  mine = office.as(await office.login(agent.loginName))
}

/** As the sender would have told. */
async function tell(ids: readonly number[], outcome: Partial<Outcome> & Pick<Outcome, 'status'>) {
  await office.owner.query(
    `update outbox_messages set status = 'sending', claimed_at = now() where id = any ($1::bigint[])`,
    [ids],
  )
  await actAsSystem(office.app.services, 'test', ctx =>
    recordOutcomes(
      ctx,
      ids.map(id => ({ id, at: new Date().toISOString(), ...outcome })),
    ),
  )
}
const failed = (ids: readonly number[], code = 'MOBILE_NOT_ON_SERVICE') =>
  tell(ids, { status: 'failed', code, message: '停机' })

describe('the log', () => {
  test("shows the agent's own messages and those of its shops, the newest first, with their segments", async () => {
    await freshAgent()
    const shop = await makeMerchant(office, agent.id, { account: phoneFor(), shop_name: '春风小馆' })
    const { ids } = await queueCampaign(office, agent.id, {
      phones: [phoneFor(), phoneFor()],
      merchantId: shop,
      params: { shop: '春风小馆', time: '今'.repeat(33) },
    })
    await sendCode(office, mine, shop)
    await failed(ids.slice(0, 1))
    const { rows, total, segments } = await mine.messageDesk.log({})
    assert.deepEqual(
      rows.map(row => [row.kind, row.status, row.segments, row.charged, row.shopName, row.resendRefusal]),
      [
        ['phone-code', 'queued', 1, 0, '春风小馆', 'CODE_NEVER_RESENT'],
        ['campaign', 'queued', 2, 2, '春风小馆', 'NOT_FAILED'],
        ['campaign', 'failed', 2, 0, '春风小馆', null],
      ],
    )
    assert.deepEqual([total, segments], [3, 3], 'what failed is not charged')
    assert.deepEqual([rows[2]?.reason, rows[2]?.errorCode], ['停机', 'MOBILE_NOT_ON_SERVICE'])
    assert.match(rows[0]?.text ?? '', /验证码是 \*{6}，/)
    const stranger = office.as(await office.login((await makeAgent(office)).loginName))
    assert.equal((await stranger.messageDesk.log({})).total, 0)
    assert.equal((await staff.messageDesk.log({ agentId: agent.id })).total, 3)
  })

  test('is found by number, shop, name, state, kind and day', async () => {
    await freshAgent()
    const [phone, other] = [phoneFor(), phoneFor()]
    const shop = await makeMerchant(office, agent.id, { account: phone, shop_name: '秋水茶楼' })
    const campaign = await queueCampaign(office, agent.id, { phones: [phone], merchantId: shop })
    const member = await queueCampaign(office, agent.id, { phones: [other], kind: 'member' })
    await failed(member.ids)
    await office.owner.query(
      `update outbox_messages set created_at = '2026-01-31T16:00:00Z' where id = any ($1::bigint[])`,
      [member.ids],
    )
    const found = async (query: Parameters<Client['messageDesk']['log']>[0]) =>
      (await mine.messageDesk.log(query)).rows.map(row => row.id)
    assert.deepEqual(await found({ search: phone }), campaign.ids)
    assert.deepEqual(await found({ search: String(shop) }), campaign.ids)
    assert.deepEqual(await found({ search: '秋水' }), campaign.ids)
    assert.deepEqual(await found({ search: '没有这家' }), [])
    assert.deepEqual(await found({ search: '138' }), [])
    assert.deepEqual(await found({ status: 'failed' }), member.ids)
    assert.deepEqual(await found({ kind: 'member' }), member.ids)
    assert.deepEqual(await found({ from: '2026-02-01', to: '2026-02-01' }), member.ids)
    assert.deepEqual(await found({ to: '2026-01-31' }), [])
    assert.equal(await refusalOf(staff.messageDesk.log({ search: '茶' })), 'SEARCH_TOO_SHORT')
  })

  test('shows the numbers of a shop’s customers masked, in all that shows them, and finds them by the whole', async () => {
    await freshAgent()
    const [own, customer] = [phoneFor(), phoneFor()]
    const shop = await makeMerchant(office, agent.id, { account: own })
    await queueCampaign(office, agent.id, { phones: [own], merchantId: shop })
    const { ids } = await queueCampaign(office, agent.id, { phones: [customer], kind: 'member' })
    const masked = maskPhone(customer)
    const phones = ({ rows }: { rows: { phone: string }[] }) => rows.map(row => row.phone)
    assert.deepEqual(phones(await mine.messageDesk.log({})).toSorted(), [own, masked].toSorted())
    assert.deepEqual(phones(await mine.messageDesk.log({ search: customer })), [masked])
    assert.deepEqual(phones(await operator.messageDesk.outbox({ search: customer })), [masked])
    const file = await office.app.http.inject({
      url: '/api/messages/log.xlsx?kind=member&columns=phone',
      headers: { cookie: await office.login(agent.loginName) },
    })
    const sheets = (await readXlsx(file.rawPayload)) as unknown as { data?: unknown[][] }[]
    assert.deepEqual(sheets[0]?.data ?? sheets, [['手机号'], [masked]])
    await failed(ids)
    assert.deepEqual(phones(await staff.messageDesk.abnormal({ search: customer })), [masked])
    const { rows } = await mine.messageDesk.resend({ ids })
    assert.equal(rows[0]?.phone, masked)
  })

  test('is written as a file with the same rows, codes masked', async () => {
    await freshAgent()
    const shop = await makeMerchant(office, agent.id, { account: phoneFor(), shop_name: '冬日面馆' })
    await sendCode(office, mine, shop)
    const { ids } = await queueCampaign(office, agent.id, { phones: [phoneFor()] })
    await failed(ids)
    const cookie = await office.login(agent.loginName)
    const columns = 'status,text,isReissued,reason,segments'
    const answer = await office.app.http.inject({
      url: `/api/messages/log.xlsx?columns=${columns}`,
      headers: { cookie },
    })
    assert.equal(answer.statusCode, 200)
    const sheets = (await readXlsx(answer.rawPayload)) as unknown as { data?: unknown[][] }[]
    const [header, campaign, code] = (sheets[0]?.data ?? sheets) as unknown[][]
    assert.deepEqual(header, ['状态', '短信内容', '是否已重发', '失败原因', '计费条数'])
    assert.deepEqual([campaign?.[0], campaign?.[2], campaign?.[3]], ['发送失败', '否', '停机'])
    assert.deepEqual([code?.[0], code?.[2]], ['待发送', '否'])
    assert.match(String(code?.[1]), /验证码是 \*{6}，/)
  })
})

describe('sending again', () => {
  test('is told the agent that pays for it where others do it, and not where it does so itself', async () => {
    await freshAgent(10)
    const told = async (who: Client) => (await who.notices.list({ topic: 'Resend_Notify' })).rows
    const { ids } = await queueCampaign(office, agent.id, { phones: [phoneFor(), phoneFor(), phoneFor()] })
    await failed(ids)
    await mine.messageDesk.resend({ ids: ids.slice(2) })
    assert.deepEqual(await told(mine), [])
    await operator.messageDesk.resend({ ids: ids.slice(0, 2) })
    assert.equal(await refusalOf(operator.messageDesk.resend({ ids: ids.slice(0, 2) })), 'NONE_RESENDABLE')
    assert.deepEqual(
      (await told(mine)).map(({ title, body, link }) => [title, body, link]),
      [['失败短信已重发', '姓名 重发了 2 条失败短信，扣短信余额 2 条', '/admin/merchant/smsSendLog']],
    )
    assert.deepEqual(await told(operator), [])
  })

  test('queues what failed once more, charges it again, and tells for each of the others why not', async () => {
    await freshAgent(10)
    const { ids } = await queueCampaign(office, agent.id, { phones: [phoneFor(), phoneFor(), phoneFor()] })
    await failed(ids.slice(0, 2))
    assert.equal(await smsOf(office, 'agent', agent.id), 9)
    const { rows, queued } = await mine.messageDesk.resend({ ids })
    assert.deepEqual(
      rows.map(row => [row.id, row.refusal]),
      [
        [ids[0], null],
        [ids[1], null],
        [ids[2], 'NOT_FAILED'],
      ],
    )
    assert.equal(queued, 2)
    assert.equal(await smsOf(office, 'agent', agent.id), 7)
    const again = await messageRows(
      office,
      rows.flatMap(row => row.resentAs ?? []),
    )
    assert.deepEqual(
      again.map(row => [row.status, Number(row.resend_of), row.charged]),
      [
        ['queued', ids[0], 1],
        ['queued', ids[1], 1],
      ],
    )
    assert.equal(new Set(again.map(row => row.document_no)).size, 1)
    assert.deepEqual(await transfersOf(office, String(again[0]?.document_no)), [['sms-send', 2]])
    const log = await mine.messageDesk.log({})
    assert.deepEqual(
      log.rows.filter(row => row.resentAs !== null).map(row => row.resendRefusal),
      ['RESENT_ALREADY', 'RESENT_ALREADY'],
    )
  })

  test('by eight at once sends once', async () => {
    await freshAgent(10)
    const { ids } = await queueCampaign(office, agent.id, { phones: [phoneFor()] })
    await failed(ids)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => refusalOf(mine.messageDesk.resend({ ids }))),
    )
    assert.deepEqual(answers.sort(), [...Array(7).fill('NONE_RESENDABLE'), 'accepted'])
    assert.equal(await smsOf(office, 'agent', agent.id), 9)
  })

  test('of one that is not there among others is told in its row, and holds up none', async () => {
    await freshAgent(3)
    const { ids } = await queueCampaign(office, agent.id, { phones: [phoneFor()] })
    await failed(ids)
    const { rows, queued } = await mine.messageDesk.resend({ ids: [99_999_999, ...ids] })
    assert.equal(queued, 1)
    assert.deepEqual(
      rows.map(({ id, refusal }) => [id, refusal]),
      [
        [ids[0], null],
        [99_999_999, 'MESSAGE_UNKNOWN'],
      ],
    )
  })

  test('of nothing that can be, without credit, of what is not there or of another agent is refused, and writes nothing', async () => {
    await freshAgent(2)
    const { ids } = await queueCampaign(office, agent.id, { phones: [phoneFor(), phoneFor()] })
    assert.equal(await refusalOf(mine.messageDesk.resend({ ids })), 'NONE_RESENDABLE')
    assert.equal(await refusalOf(mine.messageDesk.resend({ ids: [] })), 'INPUT_INVALID')
    assert.equal(await refusalOf(mine.messageDesk.resend({ ids: [99_999_999] })), 'NOT_FOUND')
    await failed(ids)
    const stranger = office.as(await office.login((await makeAgent(office)).loginName))
    assert.equal(await refusalOf(stranger.messageDesk.resend({ ids })), 'NOT_FOUND')
    await queueCampaign(office, agent.id, { phones: [phoneFor()] })
    await assert.rejects(mine.messageDesk.resend({ ids }), {
      code: 'SMS_INSUFFICIENT',
      data: { asset: 'sms', balance: 1, missing: 1, owner: 'agent' },
    })
    assert.deepEqual(
      (await messageRows(office, ids)).map(row => row.resent_as),
      [null, null],
    )
    assert.equal(await smsOf(office, 'agent', agent.id), 1)
  })

  test("of a reminder is the operator's alone, and of a shop that went away nobody's", async () => {
    await freshAgent()
    const shop = await makeMerchant(office, agent.id, { account: phoneFor() })
    await operator.messageDesk.remind({ merchantIds: [shop] })
    const { rows } = await mine.messageDesk.log({})
    const id = rows[0]?.id as number
    await failed([id])
    assert.equal((await mine.messageDesk.log({})).rows[0]?.resendRefusal, 'REMINDER_FORBIDDEN')
    assert.equal(await refusalOf(mine.messageDesk.resend({ ids: [id] })), 'NONE_RESENDABLE')
    assert.equal((await operator.messageDesk.resend({ ids: [id] })).queued, 1)
    const { ids } = await queueCampaign(office, agent.id, { phones: [phoneFor()], merchantId: shop })
    await failed(ids)
    await office.owner.query('update merchants set agent_id = $2 where id = $1', [
      shop,
      (await makeAgent(office)).id,
    ])
    const [moved] = (await mine.messageDesk.log({})).rows
    assert.deepEqual([moved?.shopName, moved?.resendRefusal], [null, 'SHOP_GONE'])
    assert.equal(await refusalOf(mine.messageDesk.resend({ ids })), 'NONE_RESENDABLE')
  })
})

describe('abnormal messages', () => {
  test('are those of all agents that failed, expired or are unknown, with how often each reason stands', async () => {
    await office.owner.query('delete from outbox_messages where payer = $1', ['vendor'])
    await freshAgent()
    const { ids } = await queueCampaign(office, agent.id, {
      phones: Array.from({ length: 6 }, () => phoneFor()),
    })
    await failed(ids.slice(0, 2), 'MOBILE_IN_BLACK')
    await failed(ids.slice(2, 3), 'isv.AMOUNT_NOT_ENOUGH')
    await tell(ids.slice(3, 4), { status: 'unknown', code: 'NO_ANSWER' })
    await tell(ids.slice(4, 5), { status: 'submitted' })
    const ask = { agentId: agent.id }
    const { rows, total, reasons } = await staff.messageDesk.abnormal(ask)
    assert.equal(total, 4)
    assert.deepEqual(new Set(rows.map(row => row.id)), new Set(ids.slice(0, 4)))
    assert.deepEqual(reasons, [
      { errorCode: 'MOBILE_IN_BLACK', status: 'failed', reason: '停机', messages: 2 },
      { errorCode: 'NO_ANSWER', status: 'unknown', reason: '短信服务商未应答，结果待确认', messages: 1 },
      { errorCode: 'isv.AMOUNT_NOT_ENOUGH', status: 'failed', reason: '短信通道余额不足', messages: 1 },
    ])
    assert.equal((await staff.messageDesk.abnormal({ ...ask, status: 'unknown' })).total, 1)
    assert.equal((await staff.messageDesk.abnormal({ ...ask, errorCode: 'MOBILE_IN_BLACK' })).total, 2)
    const [one] = (await staff.messageDesk.abnormal({ ...ask, messageId: String(ids[3]) })).rows
    assert.equal(one?.id, ids[3])
    assert.equal((await staff.messageDesk.abnormal({ ...ask, messageId: '没有' })).total, 0)
    assert.ok((await staff.messageDesk.abnormal({})).total >= 4)
    assert.equal(await refusalOf(mine.messageDesk.abnormal({})), 'FORBIDDEN')
  })

  test('that are unknown are settled by staff once, with a reason, and a failed one is paid back', async () => {
    await freshAgent(5)
    const { ids } = await queueCampaign(office, agent.id, { phones: [phoneFor(), phoneFor()] })
    const [first, second] = ids as [number, number]
    await tell(ids, { status: 'unknown', code: 'NO_ANSWER' })
    const settle = (id: number, outcome: 'failed' | 'delivered', note: string) =>
      staff.messageDesk.settleUnknown({ id, outcome, note })
    assert.equal(await refusalOf(settle(first, 'failed', ' ')), 'NOTE_REQUIRED')
    assert.deepEqual(await settle(first, 'failed', '运营商确认未达'), {
      id: first,
      status: 'failed',
      returned: 1,
    })
    assert.deepEqual(await settle(second, 'delivered', '商户说收到了'), {
      id: second,
      status: 'delivered',
      returned: 0,
    })
    assert.equal(await refusalOf(settle(first, 'delivered', '再改')), 'NOT_UNKNOWN')
    assert.equal(await refusalOf(settle(99_999_999, 'failed', '说明')), 'NOT_FOUND')
    assert.deepEqual(await statuses(office, ids), ['failed', 'delivered'])
    assert.equal(await smsOf(office, 'agent', agent.id), 4)
    const { rows } = await office.owner.query(
      `select subject, changes from operation_logs where title = '处理待确认短信' order by id limit 1`,
    )
    assert.match(rows[0].subject, new RegExp(`^1\\d{10} \\(${first}\\)$`))
    assert.deepEqual(
      rows[0].changes.map((change: { after: string }) => change.after),
      ['发送失败', '运营商确认未达'],
    )
    assert.equal(
      await refusalOf(mine.messageDesk.settleUnknown({ id: first, outcome: 'failed', note: '说明' })),
      'FORBIDDEN',
    )
  })
})

test('templates are told with the signature, in their order', async () => {
  await freshAgent()
  const { rows } = await mine.messages.templates()
  assert.ok(rows.filter(row => row.forCampaigns).length >= 6)
  assert.deepEqual(
    rows.find(({ key }) => key === 'hand-over')?.variables.map(({ label }) => label),
    ['店铺名称', '版本', '到期日期', '登录地址', '账号'],
  )
})
