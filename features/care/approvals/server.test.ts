// Requests and their decisions through the router, with real locks and notices (D2 §2 screens 5 to 7, §4).
import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { makeKey, posCaller, withoutLimit } from '#test/make-api-keys.ts'
import { makeSetting } from '#test/make-settings.ts'
import { PIXEL } from '#test/walk-types.ts'
import { type ApprovalKind, REQUESTS_PER_DAY } from './rules.ts'
import { makeRequest } from './walk.ts'

let office: Office
let staff: Client
let staffAgent: MadeAgent
let colleague: Client
let agent: MadeAgent
let me: Client
let shop: number

before(async () => {
  office = await openOffice()
  staffAgent = await makeAgent(office, { staff: true })
  staff = office.as(await office.login(staffAgent.loginName))
  const other = await makeAccount(office, staffAgent.id, { isOwner: true })
  await office.owner.query(`update accounts set name = '李四' where id = $1`, [other.accountId])
  colleague = office.as(await office.login(other.loginName))
})
after(() => office.stop())
beforeEach(async () => {
  agent = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
  shop = await makeMerchant(office, agent.id, { shop_name: '老张面馆', signature: '旧签名' })
})

const ask = (content: string, kind: ApprovalKind = 'signature', client = me) =>
  client.approvals.request({ merchantId: shop, kind, content })
const stateOf = async (id: number) =>
  (await office.owner.query('select state from approval_requests where id = $1', [id])).rows[0]?.state
const standing = async () => (await me.approvals.ofShop({ merchantId: shop })).standing
const logOf = async () => {
  const { rows } = await office.owner.query(
    'select title, subject, merchant_id::int as shop, objects, changes from operation_logs order by id desc limit 1',
  )
  return rows[0]
}
const toldTo = async (accountId: number) =>
  (
    await office.owner.query(
      'select topic, title, body, args, link from notices where account_id = $1 order by id desc',
      [accountId],
    )
  ).rows

describe('asking', () => {
  test('a request waits, with what the shop had, and stands in the list of its kind alone', async () => {
    const { id } = await ask(' 老张面馆 ')
    const { rows } = await staff.approvals.signatures({ search: String(shop) })
    assert.deepEqual(
      rows.map(row => [row.id, row.content, row.current, row.contentBefore, row.state, row.shopName]),
      [[id, '老张面馆', '旧签名', '旧签名', 'pending', '老张面馆']],
    )
    assert.equal((await staff.approvals.shopNames({ search: String(shop) })).total, 0)
    const log = await logOf()
    assert.deepEqual([log.title, log.subject, log.shop], ['提交审批申请', `老张面馆 (${shop})`, shop])
    assert.ok(log.objects.includes(`approval:${id}`))
  })

  test('a newer one takes the place of the one that waits; others of the shop stay', async () => {
    const title = await ask('贵宾', 'memberTitle')
    const first = await ask('老张面馆')
    assert.equal(await refusalOf(ask('老张面馆')), 'ASKED_ALREADY')
    const second = await ask('老张总店')
    assert.deepEqual(
      [await stateOf(first.id), await stateOf(second.id), await stateOf(title.id)],
      ['replaced', 'pending', 'pending'],
    )
    assert.deepEqual(
      (await staff.approvals.approve({ ids: [first.id] })).rows[0]?.refusal,
      '商户已提交新的申请，此申请不再处理',
    )
  })

  test('two at once leave one that waits', async () => {
    await Promise.all(['老张甲', '老张乙', '老张丙'].map(content => ask(content)))
    const { rows } = await me.approvals.ofShop({ merchantId: shop })
    assert.deepEqual(rows.map(({ state }) => state).sort(), ['pending', 'replaced', 'replaced'])
  })

  test('is refused by the rules of a save, for what holds already, and for a disabled shop', async () => {
    await assert.rejects(ask('店'.repeat(31), 'shopName'), {
      code: 'SHOP_NAME_TOO_LONG',
      message: '店铺名称长度不得超过30字符',
      data: { field: 'content' },
    })
    for (const [content, code] of [
      ['签'.repeat(13), 'SIGNATURE_TOO_LONG'],
      ['【老张】', 'SIGNATURE_SYMBOLS'],
    ] as const) {
      assert.equal(await refusalOf(ask(content)), code)
      assert.equal(await refusalOf(staff.merchants.setSignature({ id: shop, signature: content })), code)
    }
    assert.equal(await refusalOf(ask('旧签名')), 'CONTENT_UNCHANGED')
    await office.owner.query(`update merchants set status = 'disabled' where id = $1`, [shop])
    assert.equal(await refusalOf(ask('老张面馆')), 'MERCHANT_DISABLED')
  })

  test('so many a day', async () => {
    await makeSetting(office, REQUESTS_PER_DAY, 2)
    try {
      await ask('老张甲')
      await ask('老张乙')
      assert.equal(await refusalOf(ask('老张丙')), 'REQUESTS_TOO_MANY')
      await ask('贵宾', 'memberTitle')
    } finally {
      await makeSetting(office, REQUESTS_PER_DAY, null)
    }
  })

  test('what waits can be taken back, once', async () => {
    const { id } = await ask('老张面馆')
    assert.deepEqual(await me.approvals.withdraw({ id }), { id })
    assert.equal(await stateOf(id), 'withdrawn')
    assert.equal(await refusalOf(me.approvals.withdraw({ id })), 'ENDED_ALREADY')
    assert.equal((await staff.approvals.approve({ ids: [id] })).rows[0]?.refusal, '申请已撤回')
  })

  test('staff ask for an agent’s shop, and the agent is told', async () => {
    await ask('老张面馆', 'signature', staff)
    const [notice] = await toldTo(agent.accountId)
    assert.deepEqual([notice.topic, notice.title], ['Approval_Notify', '已代为申请短信签名'])
  })
})

describe('deciding', () => {
  const cases: [kind: ApprovalKind, content: string, topic: string][] = [
    ['signature', '老张面馆', 'Refresh_Signature_Notify'],
    ['shopName', '老张面馆（南山店）', 'Approval_Notify'],
    ['memberTitle', '贵宾', 'Approval_Notify'],
  ]
  for (const [kind, content, topic] of cases)
    test(`an approved ${kind} holds at once, and the agent is told`, async () => {
      const { id } = await ask(content, kind)
      const { revision } = await me.merchants.details({ id: shop })
      const { rows } = await staff.approvals.approve({ ids: [id] })
      assert.equal(rows[0]?.refusal, null)
      assert.equal((await standing())[kind], content)
      assert.equal((await me.merchants.details({ id: shop })).revision, revision + 1)
      assert.equal((await me.merchants.details({ id: shop }))[kind], content)
      const [notice] = await toldTo(agent.accountId)
      assert.deepEqual([notice.topic, notice.args.merchantId, notice.args.state], [topic, shop, 'approved'])
      assert.match(notice.body, new RegExp(`「${content}」已生效`))
      const log = await logOf()
      assert.deepEqual([log.title, log.shop], ['通过审批申请', shop])
    })

  test('a rejection tells reason and advice, and changes nothing', async () => {
    const { id } = await ask('老张面馆')
    assert.equal(await refusalOf(staff.approvals.reject({ ids: [id], reason: ' ' })), 'REASON_REQUIRED')
    const { reasons } = await staff.approvals.reasons()
    const [reason] = reasons.filter(({ kind }) => kind === 'signature')
    assert.ok(reason?.advice)
    await staff.approvals.reject({ ids: [id], reason: reason.name, advice: reason.advice })
    assert.equal((await standing()).signature, '旧签名')
    const [row] = (await me.approvals.ofShop({ merchantId: shop })).rows
    assert.deepEqual([row?.state, row?.reason, row?.advice], ['rejected', reason.name, reason.advice])
    const [notice] = await toldTo(agent.accountId)
    assert.ok(notice.body.includes(reason.name) && notice.body.includes(reason.advice))
  })

  test('the shop hears by SMS, at the vendor’s cost, where whoever asked wanted it, and once', async () => {
    const phone = '13900003333'
    const reached = await makeMerchant(office, agent.id, { shop_name: '老王面馆', account: phone })
    const sent = async () =>
      (
        await office.owner.query(
          `select text, payer, charged from outbox_messages where phone = $1 and kind = 'shop-notice' order by id`,
          [phone],
        )
      ).rows
    const wants = (kind: ApprovalKind, content: string, bySms: boolean) =>
      me.approvals.request({ merchantId: reached, kind, content, bySms })
    const silent = await wants('signature', '老王面馆', false)
    const title = await wants('memberTitle', '贵宾', true)
    const name = await wants('shopName', '老王总店', true)
    assert.deepEqual(await sent(), [])
    await staff.approvals.approve({ ids: [silent.id, title.id] })
    await staff.approvals.approve({ ids: [title.id] })
    await staff.approvals.reject({ ids: [name.id], reason: '与营业执照不符' })
    assert.deepEqual(await sent(), [
      { text: '商户「老王面馆」申请的会员称谓「贵宾」已通过审批，现已生效。', payer: 'vendor', charged: 0 },
      {
        text: '商户「老王面馆」申请的店铺名称「老王总店」未通过审批，原因：与营业执照不符。请修改后重新提交。',
        payer: 'vendor',
        charged: 0,
      },
    ])
  })

  test('a shop whose account is no mobile number is decided about without an SMS', async () => {
    const branch = await makeMerchant(office, agent.id, { account: '1390000444401' })
    const { id } = await me.approvals.request({
      ...{ merchantId: branch, kind: 'memberTitle', content: '贵宾', bySms: true },
    })
    assert.equal((await staff.approvals.approve({ ids: [id] })).rows[0]?.refusal, null)
    const { rows } = await office.owner.query('select id from outbox_messages where merchant_id = $1', [
      branch,
    ])
    assert.deepEqual(rows, [])
  })

  test('of two at once the second is told who was first', async () => {
    const { id } = await ask('老张面馆')
    const [one, two] = await Promise.all([
      staff.approvals.approve({ ids: [id] }),
      colleague.approvals.reject({ ids: [id], reason: '不合规' }),
    ])
    const refusals = [one.rows[0]?.refusal, two.rows[0]?.refusal]
    assert.equal(refusals.filter(refusal => refusal === null).length, 1)
    assert.match(String(refusals.find(refusal => refusal !== null)), /^已由.+处理（已(通过|驳回)）$/)
    assert.equal((await toldTo(agent.accountId)).length, 1)
  })

  test('many are decided each for itself', async () => {
    const closed = await makeMerchant(office, agent.id, { shop_name: '停业', status: 'disabled' })
    const done = await ask('贵宾', 'memberTitle')
    const name = await ask('老张面馆总店', 'shopName')
    const gone = await ask('老张面馆')
    await me.approvals.withdraw({ id: gone.id })
    const disabled = await makeRequest(office, { agentId: agent.id, merchantId: closed, content: '停业了' })
    const ids = [disabled, gone.id, done.id, name.id]
    const { rows } = await staff.approvals.approve({ ids })
    assert.deepEqual(Object.fromEntries(rows.map(({ id, refusal }) => [id, refusal])), {
      [disabled]: '请启用后再进行操作',
      [gone.id]: '申请已撤回',
      [done.id]: null,
      [name.id]: null,
    })
    const now = await standing()
    assert.deepEqual([now.memberTitle, now.shopName], ['贵宾', '老张面馆总店'])
    const log = await logOf()
    assert.equal(log.subject, '2 条申请')
    assert.ok(log.objects.includes(`merchant:${shop}`) && log.objects.includes(`approval:${done.id}`))
  })

  test('one that does not exist is told in its row, and a decision that changes nothing leaves no row in the log', async () => {
    const { id } = await ask('老张面馆')
    const { rows } = await staff.approvals.approve({ ids: [99_999_999, id] })
    assert.deepEqual(
      rows.map(row => [row.id, row.refusal, row.state]),
      [
        [id, null, 'approved'],
        [99_999_999, '该申请不存在，或不在您可审批的范围内', null],
      ],
    )
    assert.equal(await stateOf(id), 'approved')
    assert.equal(await refusalOf(staff.approvals.approve({ ids: [99_999_999] })), 'NOT_FOUND')
    const before = await office.owner.query('select count(*) from operation_logs')
    await colleague.approvals.approve({ ids: [id] })
    assert.deepEqual((await office.owner.query('select count(*) from operation_logs')).rows, before.rows)
  })

  test('nobody approves what they asked for where another could; they may reject it, and are told in its row', async () => {
    const { id } = await ask('老张面馆', 'signature', staff)
    const title = await ask('贵宾', 'memberTitle', staff)
    const others = await ask('老张总店', 'shopName')
    const { rows } = await staff.approvals.approve({ ids: [id, others.id] })
    assert.deepEqual(
      rows.map(({ refusal }) => refusal),
      ['不能审批自己提交的申请，请由另一位工作人员审批', null],
    )
    assert.equal((await colleague.approvals.approve({ ids: [id] })).rows[0]?.refusal, null)
    await staff.approvals.reject({ ids: [title.id], reason: '提错了' })
    assert.equal(await stateOf(title.id), 'rejected')
  })

  test('whoever is alone approves their own', async () => {
    await office.owner.query(
      `update accounts set enabled = false where id <> $1 and agent_id in (select id from agents where is_vendor_staff)`,
      [staffAgent.accountId],
    )
    try {
      const { id } = await ask('老张面馆', 'signature', staff)
      assert.equal((await staff.approvals.approve({ ids: [id] })).rows[0]?.refusal, null)
    } finally {
      await office.owner.query(
        'update accounts set enabled = true where agent_id in (select id from agents where is_vendor_staff)',
      )
    }
  })

  test('agents decide nothing and see no list', async () => {
    const { id } = await ask('老张面馆')
    assert.equal(await refusalOf(me.approvals.approve({ ids: [id] })), 'FORBIDDEN')
    assert.equal(await refusalOf(me.approvals.signatures({})), 'FORBIDDEN')
  })

  test('whoever sees one kind decides that kind alone', async () => {
    const { rows } = await office.owner.query(
      `select id::int from permission_nodes where key in ('approvals.memberTitles', 'approvals.decide')`,
    )
    const person = await makeAccount(office, staffAgent.id, { nodeIds: rows.map(({ id }) => id) })
    const clerk = office.as(await office.login(person.loginName))
    const signature = await ask('老张面馆')
    const title = await ask('贵宾', 'memberTitle')
    assert.equal(await refusalOf(clerk.approvals.approve({ ids: [signature.id] })), 'NOT_FOUND')
    assert.equal((await clerk.approvals.approve({ ids: [title.id] })).rows[0]?.refusal, null)
  })
})

describe('a program of the shop', () => {
  const VERBS = ['pos.read', 'pos.write']
  const asProgram = async () => {
    const key = await makeKey(office, await office.login(agent.loginName), VERBS)
    await withoutLimit(office, key)
    return posCaller(office, key.bearer)
  }

  test('asks, hears what became of it in the changes, and takes back what waits', async () => {
    const ask = await asProgram()
    const sent = await ask('approvals.submitRequest', { id: shop, kind: 'memberTitle', content: '贵宾' })
    assert.equal(sent.status, 200, sent.message)
    const { id } = sent.body as { id: number }
    const [row] = (await staff.approvals.memberTitles({ search: String(shop) })).rows
    assert.equal(row?.id, id)
    await staff.approvals.reject({ ids: [id], reason: '不文明', advice: '请改用会员' })
    const { rows } = await office.owner.query(
      `select data from change_inbox where merchant_id = $1 and topic = 'approval.decided'
       union all select data from shop_changes where merchant_id = $1 and topic = 'approval.decided'`,
      [shop],
    )
    assert.deepEqual(
      rows.map(({ data }) => [data.requestId, data.kind, data.state, data.reason, data.advice]),
      [[id, 'memberTitle', 'rejected', '不文明', '请改用会员']],
    )
    const again = await ask('approvals.submitRequest', { id: shop, kind: 'memberTitle', content: '会员' })
    const next = (again.body as { id: number }).id
    assert.equal((await ask('approvals.withdrawRequest', { id: next })).status, 200)
    const { requests } = (await ask('approvals.requests', { id: shop })).body as {
      requests: { id: number; state: string; reason: string }[]
    }
    assert.deepEqual(
      requests.map(one => [one.id, one.state, one.reason]),
      [
        [next, 'withdrawn', ''],
        [id, 'rejected', '不文明'],
      ],
    )
  })

  test('sends a picture first, which staff see beside the request; one of another shop’s program is unknown', async () => {
    const ask = await asProgram()
    const kept = await ask('approvals.keepPicture', { id: shop, data: PIXEL })
    assert.equal(kept.status, 200, kept.message)
    const { id: pictureId } = kept.body as { id: string }
    const asked = { id: shop, kind: 'shopName', content: '老张总店' }
    const other = await makeAgent(office)
    const stranger = await makeKey(office, await office.login(other.loginName), VERBS)
    await withoutLimit(office, stranger)
    const theirs = await posCaller(office, stranger.bearer)('approvals.keepPicture', {
      id: shop,
      data: PIXEL,
    })
    assert.equal(theirs.code, 'NOT_FOUND')
    const foreign = await ask('approvals.submitRequest', { ...asked, pictureId: crypto.randomUUID() })
    assert.equal(foreign.code, 'PICTURE_UNKNOWN')
    const sent = await ask('approvals.submitRequest', { ...asked, pictureId, bySms: true })
    assert.equal(sent.status, 200, sent.message)
    const [row] = (await staff.approvals.shopNames({ search: String(shop) })).rows
    assert.deepEqual([row?.pictureId, row?.bySms], [pictureId, true])
    const cookie = await office.login(staffAgent.loginName)
    const seen = await office.app.http.inject({ url: `/api/files/${pictureId}`, headers: { cookie } })
    assert.equal(seen.statusCode, 200)
  })

  test('is refused as a person is, with the field', async () => {
    const ask = await asProgram()
    const answer = await ask('approvals.submitRequest', { id: shop, kind: 'signature', content: '【老张】' })
    assert.deepEqual([answer.status, answer.code], [409, 'SIGNATURE_SYMBOLS'])
  })
})

describe('afterwards', () => {
  test('a shop’s timeline tells what was asked and what came of it', async () => {
    const { id } = await ask('老张面馆')
    await staff.approvals.reject({ ids: [id], reason: '缺少图片', advice: '请上传' })
    const { rows } = await me.renewals.timeline({ merchantId: shop, kind: 'request' })
    assert.deepEqual(
      rows.map(({ title, detail }) => [title, detail]),
      [
        ['短信签名「老张面馆」已驳回', '缺少图片；请上传'],
        ['申请短信签名「老张面馆」', ''],
      ],
    )
  })

  test('the staff’s start page counts what waits, and the list holds as many', async () => {
    await ask('老张面馆')
    const { items } = await staff.dashboard.todo()
    const item = items.find(({ key }) => key === 'signatures')
    const list = await staff.approvals.signatures({ state: 'pending', sort: 'createdAt', order: 'asc' })
    assert.deepEqual([item?.count, item?.oldestAt], [list.total, list.rows[0]?.createdAt])
    assert.ok(!(await me.dashboard.todo()).items.some(({ key }) => key === 'signatures'))
  })

  test('what waits goes along with a shop that moves, and what was decided stays', async () => {
    const decided = await ask('贵宾', 'memberTitle')
    await staff.approvals.approve({ ids: [decided.id] })
    const waiting = await ask('老张面馆')
    const next = await makeAgent(office)
    await office.owner.query('update merchants set agent_id = $2 where id = $1', [shop, next.id])
    const theirs = office.as(await office.login(next.loginName))
    const { rows } = await theirs.approvals.ofShop({ merchantId: shop })
    assert.deepEqual(
      rows.map(({ id }) => id),
      [waiting.id],
    )
    assert.equal(await refusalOf(me.approvals.withdraw({ id: waiting.id })), 'NOT_FOUND')
  })
})
