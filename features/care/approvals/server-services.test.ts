// Signatures at the simulated SMS services, through the router and the loop: handed in once, decided there, used, taken back.
import assert from 'node:assert/strict'
import test, { after, afterEach, before, beforeEach, describe } from 'node:test'
import type { Effect } from '#providers/simulator.ts'
import { type Client, type Office, openBeside, openOffice, refusalOf } from '#test/app.ts'
import { credit, type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { makeKey, posCaller, withoutLimit } from '#test/make-api-keys.ts'
import { giveSms, phoneFor, sendAll } from '#test/make-messages.ts'
import { type Outside, startOutside } from '#test/outside.ts'
import { followServices } from './server-settle.ts'

let outside: Outside
let office: Office
let staff: Client
let staffAgent: MadeAgent
let agent: MadeAgent
let me: Client
let shop: number
let name: string
let made = 0

before(async () => {
  outside = await startOutside({ signatures: true })
  office = await openOffice({ providers: outside.providers, listen: true })
  staffAgent = await makeAgent(office, { staff: true })
  staff = office.as(await office.login(staffAgent.loginName))
})
after(async () => {
  await office.verifyLedger()
  await office.stop()
  await outside.stop()
})
beforeEach(async () => {
  agent = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
  shop = await makeMerchant(office, agent.id, { shop_name: '老张面馆', signature: '' })
  name = `老张面馆${++made}号`
})
afterEach(async () => {
  for (const service of services()) service.control.faults.length = 0
  // What one test leaves open is not asked about in the next.
  await office.owner.query('update shop_signatures set next_at = null')
})

const services = () => [outside.simulators.aliyun, outside.simulators.tencent] as const
const calls = () => outside.simulators.aliyun.counts().calls as number
const fault = (effect: Effect, match: string, times = 1) => {
  for (const service of services()) service.control.faults.push({ match, times, effect })
}
/** What a reviewer does at one of the services, or at both. */
const review = async (more: object, which: readonly { url: string }[] = services(), path = 'review') => {
  for (const { url } of which) {
    const answer = await fetch(`${url}/__sim/${path}`, {
      method: 'POST',
      body: JSON.stringify({ kind: 'signature', key: name, ...more }),
    })
    assert.equal(answer.status, 200)
  }
}
/** The loop, as if all that waits for its time were due. */
async function round(): Promise<void> {
  await office.owner.query(
    `update shop_signatures set next_at = now() - interval '1 second' where next_at is not null`,
  )
  await followServices(office.app.services)
}
const approved = async (content = name) => {
  const { id } = await me.approvals.request({ merchantId: shop, kind: 'signature', content })
  const { rows } = await staff.approvals.approve({ ids: [id] })
  assert.deepEqual([rows[0]?.refusal, rows[0]?.state], [null, 'reviewing'])
  return id
}
const rowOf = async (id: number) =>
  (await me.approvals.ofShop({ merchantId: shop })).rows.find(row => row.id === id)
const atServices = async () =>
  Object.fromEntries(
    (await staff.approvals.atServices({ merchantId: shop })).rows.map(row => [row.service, row]),
  )
const states = async () => {
  const { aliyun, tencent } = await atServices()
  return [aliyun?.state, tencent?.state]
}
const standing = async () => (await me.approvals.ofShop({ merchantId: shop })).standing.signature
const known = async (url: string) => {
  const { signatures } = (await (await fetch(`${url}/__sim/registry`)).json()) as {
    signatures: { name: string; state: string }[]
  }
  return signatures.filter(one => one.name === name).map(({ state }) => state)
}
const decided = async () =>
  (
    await office.owner.query(
      `select data from change_inbox where merchant_id = $1 and topic = 'approval.decided'
       union all select data from shop_changes where merchant_id = $1 and topic = 'approval.decided'`,
      [shop],
    )
  ).rows.map(({ data }) => data.state)
const toldTo = async (accountId: number) =>
  (
    await office.owner.query(
      'select topic, title, body from notices where account_id = $1 order by id desc',
      [accountId],
    )
  ).rows
const sendToMember = async () => {
  const phone = phoneFor()
  const key = await makeKey(office, await office.login(agent.loginName), ['pos.read', 'pos.sms'])
  await withoutLimit(office, key)
  const ask = posCaller(office, key.bearer)
  const sent = await ask('pos.sendMessages', {
    id: shop,
    template: 'member-notice',
    messages: [{ phone, params: { content: '新品到店' } }],
  })
  assert.equal(sent.status, 200, sent.message)
  await sendAll(office)
  const answer = await fetch(`${outside.simulators.aliyun.url}/__sim/inbox.json?phone=${phone}`)
  const { messages } = (await answer.json()) as { messages: { signature: string }[] }
  const usable = ((await ask('pos.shop', { id: shop })).body as { signature: { usable: boolean } }).signature
    .usable
  return { signatures: messages.map(({ signature }) => signature), usable }
}

describe('staff approve', () => {
  test('the request lies with the services until they decide, takes effect, and the next message carries it', async () => {
    await credit(office, agent.id, 'sms', 20)
    await giveSms(office, { agentId: agent.id, merchantId: shop, pieces: 20 })
    const id = await approved()
    assert.deepEqual(await states(), ['waiting', 'waiting'])
    await round()
    assert.deepEqual(await states(), ['reviewing', 'reviewing'])
    assert.deepEqual([(await rowOf(id))?.state, (await rowOf(id))?.services], ['reviewing', ''])
    assert.deepEqual([await standing(), await decided()], ['', []])
    assert.deepEqual(await sendToMember(), { signatures: ['测试签名'], usable: false })
    await review({ approve: true })
    await round()
    assert.deepEqual([(await rowOf(id))?.state, (await rowOf(id))?.handledByName], ['approved', '阿里云'])
    const inList = (await staff.approvals.signatures({ search: String(shop) })).rows[0]
    assert.equal(inList?.approvedByName, '姓名')
    assert.match(inList?.serviceAnswer ?? '', /阿里云已通过/)
    assert.ok(inList?.approvedAt && inList.handledAt && inList.approvedAt < inList.handledAt)
    assert.equal((await rowOf(id))?.serviceAnswer, '')
    assert.deepEqual([await standing(), await decided()], [name, ['approved']])
    const { aliyun, tencent } = await atServices()
    assert.deepEqual(
      [aliyun?.carriers.map(({ carrier, state }) => `${carrier} ${state}`), aliyun?.sends, tencent?.carriers],
      [['mobile done', 'unicom done', 'telecom done'], true, []],
    )
    assert.deepEqual(await sendToMember(), { signatures: [name], usable: true })
    const [notice] = await toldTo(agent.accountId)
    assert.deepEqual([notice.topic, notice.title], ['Refresh_Signature_Notify', '短信签名申请已通过'])
    const { rows } = await office.owner.query(
      `select count(*)::int as count from operation_logs where merchant_id = $1 and title = '短信服务商通过签名'`,
      [shop],
    )
    assert.equal(rows[0]?.count, 1)
  })

  test('a service’s refusal rejects it with advice, and its own words stay with staff', async () => {
    const id = await approved()
    await round()
    await review({ approve: false, reason: '签名涉及他人商标，请提供授权' })
    await round()
    const row = await rowOf(id)
    assert.deepEqual([row?.state, row?.reason], ['rejected', '签名涉及他人商标或品牌'])
    assert.deepEqual([row?.approvedByName, row?.handledByName], ['姓名', '阿里云'])
    const { rows: told } = await staff.approvals.ofShop({ merchantId: shop })
    assert.match(told[0]?.serviceAnswer ?? '', /阿里云未通过：签名涉及他人商标，请提供授权/)
    assert.match(row?.advice ?? '', /授权书/)
    assert.equal((await atServices()).aliyun?.answer, '签名涉及他人商标，请提供授权')
    assert.ok(!JSON.stringify(await me.approvals.ofShop({ merchantId: shop })).includes('请提供授权"'))
    assert.deepEqual([await standing(), await decided()], ['', ['rejected']])
    assert.equal(await refusalOf(me.approvals.atServices({ merchantId: shop })), 'FORBIDDEN')
  })

  test('one service’s approval is enough where it is the one that sends, and not where another may still decide', async () => {
    const id = await approved()
    await round()
    await review({ approve: true }, [outside.simulators.tencent])
    await round()
    const between = await rowOf(id)
    assert.deepEqual([between?.state, between?.services], ['reviewing', '阿里云审核中，腾讯云已通过'])
    await review({ approve: false, reason: '资质不符' }, [outside.simulators.aliyun])
    await round()
    assert.deepEqual([(await rowOf(id))?.state, await standing()], ['approved', name])
    assert.deepEqual(await states(), ['refused', 'approved'])
  })

  test('a name and a title hold at once, as nobody reviews them', async () => {
    const { id } = await me.approvals.request({ merchantId: shop, kind: 'memberTitle', content: '贵宾' })
    assert.equal((await staff.approvals.approve({ ids: [id] })).rows[0]?.state, 'approved')
  })
})

describe('what is not known', () => {
  for (const effect of ['reset-after', 'reset-before'] as const)
    test(`an answer that is lost (${effect}) is asked for, and the signature stands there once`, async () => {
      await approved()
      fault({ kind: effect }, 'CreateSmsSign')
      fault({ kind: effect }, 'AddSmsSign')
      await round()
      assert.deepEqual(await states(), ['waiting', 'waiting'])
      await round()
      assert.deepEqual(await states(), ['reviewing', 'reviewing'])
      for (const { url } of services()) assert.deepEqual(await known(url), ['pending'])
    })

  test('a program that ends between its call and its record is followed by another that asks first', async () => {
    await approved()
    const row = `merchant_id = ${shop}`
    await followServices(office.app.services)
    // As the one that ended had left it: claimed, and nothing written.
    await office.owner.query(
      `update shop_signatures set state = 'waiting', service_id = '', handed_in_at = null, again = true, claim = 'gone', next_at = now() - interval '1 second' where ${row}`,
    )
    const beside = await openBeside(office, { providers: outside.providers })
    try {
      await followServices(beside.app.services)
      assert.deepEqual(await states(), ['reviewing', 'reviewing'])
      for (const { url } of services()) assert.deepEqual(await known(url), ['pending'])
    } finally {
      await beside.stop()
    }
  })

  test('of two instances at once each row is asked by one', async () => {
    await approved()
    const beside = await openBeside(office, { providers: outside.providers })
    try {
      const before = calls()
      await Promise.all([followServices(office.app.services), followServices(beside.app.services)])
      // Asked where it stands, and handed in.
      assert.equal(calls() - before, 2)
      assert.deepEqual(await states(), ['reviewing', 'reviewing'])
    } finally {
      await beside.stop()
    }
  })

  test('keys that are wrong are told to staff once, and it goes on by itself when they are mended', async () => {
    const id = await approved()
    fault({ kind: 'error', code: 'isp.RAM_PERMISSION_DENY', message: '没有权限' }, 'CreateSmsSign')
    fault({ kind: 'error', code: 'AuthFailure.SecretIdNotFound', message: '密钥不存在' }, 'AddSmsSign')
    await round()
    assert.deepEqual(await states(), ['stuck', 'stuck'])
    assert.equal((await rowOf(id))?.state, 'reviewing')
    const told = (await toldTo(staffAgent.accountId)).filter(({ title }) => title.startsWith('签名无法提交'))
    assert.equal(told.length, 2)
    await round()
    assert.deepEqual(await states(), ['reviewing', 'reviewing'])
  })

  test('a code of the call itself refuses the signature', async () => {
    const id = await approved()
    fault({ kind: 'error', code: 'isv.SIGN_NAME_ILLEGAL', message: '签名名称不符合规范' }, 'CreateSmsSign')
    fault(
      { kind: 'error', code: 'InvalidParameterValue.SignNameLengthTooLong', message: 'too long' },
      'AddSmsSign',
    )
    await round()
    assert.deepEqual(
      [(await rowOf(id))?.state, (await rowOf(id))?.reason],
      ['rejected', '签名不符合服务商的命名规范'],
    )
  })
})

describe('meanwhile', () => {
  test('what the shop withdraws or replaces is not waited for', async () => {
    const id = await approved()
    await round()
    assert.deepEqual(await states(), ['reviewing', 'reviewing'])
    await me.approvals.withdraw({ id })
    assert.equal((await rowOf(id))?.approvedByName, '姓名')
    assert.deepEqual(await states(), ['ended', 'ended'])
    await review({ approve: true })
    await round()
    assert.deepEqual([(await rowOf(id))?.state, await standing()], ['withdrawn', ''])
    // Asked for anew it is there already, and holds as soon as that is told.
    const again = await approved()
    await round()
    assert.deepEqual([(await rowOf(again))?.state, await standing()], ['approved', name])
  })

  test('staff may still reject it', async () => {
    const id = await approved()
    assert.match((await staff.approvals.approve({ ids: [id] })).rows[0]?.refusal ?? '', /审核中/)
    await staff.approvals.reject({ ids: [id], reason: '不合规' })
    assert.deepEqual([(await rowOf(id))?.state, await states()], ['rejected', ['ended', 'ended']])
  })
})

describe('later', () => {
  const inUse = async () => {
    await credit(office, agent.id, 'sms', 20)
    await giveSms(office, { agentId: agent.id, merchantId: shop, pieces: 20 })
    const id = await approved()
    await round()
    await review({ approve: true })
    await round()
    assert.equal(await standing(), name)
    return id
  }

  test('what a service takes back is used no more, and agent and staff hear of it', async () => {
    await inUse()
    await review({ approve: false, reason: '超过六个月未使用' })
    await round()
    assert.deepEqual(await states(), ['takenBack', 'takenBack'])
    assert.deepEqual(await sendToMember(), { signatures: ['测试签名'], usable: false })
    assert.equal((await toldTo(agent.accountId))[0].title.startsWith('短信签名被'), true)
    assert.ok((await toldTo(staffAgent.accountId)).some(({ body }) => body.includes('超过六个月未使用')))
    const { aliyun } = await atServices()
    assert.equal(aliyun?.againRefusal, null)
    await staff.approvals.handInAgain({ id: aliyun?.id as number })
    await round()
    assert.deepEqual(await states(), ['reviewing', 'takenBack'])
    await review({ approve: true }, [outside.simulators.aliyun])
    await round()
    assert.deepEqual(await sendToMember(), { signatures: [name], usable: true })
  })

  test('a message that is refused for it goes under the vendor’s, and nothing else is held up', async () => {
    await inUse()
    await review({ approve: false, reason: '违规' }, [outside.simulators.aliyun])
    const { signatures, usable } = await sendToMember()
    assert.equal(usable, false)
    if (signatures.length === 0) {
      await office.owner.query(
        `update outbox_messages set not_before = now() - interval '1 second' where status = 'queued'`,
      )
      await sendAll(office)
    }
    const { rows } = await office.owner.query(
      `select status, signature from outbox_messages where merchant_id = $1 order by id desc limit 1`,
      [shop],
    )
    assert.deepEqual(rows[0], { status: 'submitted', signature: '' })
    assert.equal((await atServices()).aliyun?.state, 'takenBack')
  })

  test('asked again by hand it is due now; what is still open is not handed in again', async () => {
    await approved()
    await round()
    const { aliyun } = await atServices()
    const id = aliyun?.id as number
    assert.equal(await refusalOf(staff.approvals.handInAgain({ id })), 'STILL_OPEN')
    await staff.approvals.askService({ id })
    const { rows } = await office.owner.query(
      `select next_at <= now() + interval '1 second' as due from shop_signatures where id = $1`,
      [id],
    )
    assert.equal(rows[0]?.due, true)
    assert.equal(await refusalOf(me.approvals.askService({ id })), 'FORBIDDEN')
  })

  test('what was refused for good is not handed in again', async () => {
    await approved()
    await round()
    await review({ approve: false, reason: '不合规' })
    await round()
    const { aliyun } = await atServices()
    assert.equal(await refusalOf(staff.approvals.handInAgain({ id: aliyun?.id as number })), 'REQUEST_OVER')
  })

  test('a shop that moves takes its signature along', async () => {
    await inUse()
    const next = await makeAgent(office)
    await office.owner.query('update merchants set agent_id = $2 where id = $1', [shop, next.id])
    const { rows } = await office.owner.query(
      'select distinct agent_id::int as agent from shop_signatures where merchant_id = $1',
      [shop],
    )
    assert.deepEqual(rows, [{ agent: next.id }])
  })
})
