// Threads through the router and the door, with real locks, changes and notices (D3 §4, §5, §8 Feedback).
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test, { after, before, beforeEach, describe } from 'node:test'
import sharp from 'sharp'
import { actAsSystem } from '#server/system.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { feedOf } from '#test/changes/feed.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { makeKey, nodeId, posCaller, withoutLimit } from '#test/make-api-keys.ts'
import { tellThread } from './server-tell.ts'

type Caller = ReturnType<typeof posCaller>
type PosThread = {
  id: number
  state: string
  unread: boolean
  messages: {
    id: number
    from: string
    name: string
    text: string
    pictures: string[]
    seen: boolean
    rating: { satisfaction: string | null; resolution: string | null } | null
  }[]
}

const ONLINE = { news: '您提出的需求已上线。', invitation: '欢迎试用后作出评价。' }

let office: Office
let staff: Client
let staffAgent: MadeAgent
let agent: MadeAgent
let cookie: string
let me: Client
let colleague: Client
let shop: number
let ask: Caller

before(async () => {
  office = await openOffice()
  staffAgent = await makeAgent(office, { operator: true })
  staff = office.as(await office.login(staffAgent.loginName))
})
after(() => office.stop())
beforeEach(async () => {
  agent = await makeAgent(office)
  cookie = await office.login(agent.loginName)
  me = office.as(cookie)
  const other = await makeAccount(office, agent.id, { isOwner: true })
  await office.owner.query(`update accounts set name = '李四' where id = $1`, [other.accountId])
  colleague = office.as(await office.login(other.loginName))
  shop = await makeMerchant(office, agent.id, { shop_name: '老张面馆' })
  ask = await callerOf(cookie)
})

async function callerOf(of: string): Promise<Caller> {
  const key = await makeKey(office, of, ['pos.read', 'pos.write'])
  await withoutLimit(office, key)
  return posCaller(office, key.bearer)
}
const idOf = ({ body }: { body: unknown }) => (body as { id: number }).id
const file = async (text = '打印机没有反应', pictures: string[] = []) => {
  const answer = await ask('threads.file', { id: shop, text, pictures })
  assert.equal(answer.status, 200, answer.message)
  return idOf(answer)
}
const atShop = async (id: number, by = ask) => (await by('threads.thread', { id })).body as PosThread
const reply = (id: number, text: string, revision = 0, by = me) => by.threads.reply({ id, text, revision })
const png = (side = 40) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#c33' } })
    .png()
    .toBuffer()
const upload = async (bytes: Buffer, by = ask) =>
  by('threads.keepPicture', { id: shop, data: bytes.toString('base64') })
const pictured = async () => String((await upload(await png())).body && idOf(await upload(await png())))
const noticesOf = async (accountId: number) =>
  (
    await office.owner.query(
      `select title, body, link from notices where account_id = $1 and topic = 'FeedBackUserSendMsg' order by id`,
      [accountId],
    )
  ).rows

describe('a conversation', () => {
  test('goes from the shop to its agent and back, with what each side has seen', async () => {
    const id = await file()
    assert.deepEqual(
      (await me.threads.list({})).rows.map(row => [row.id, row.state, row.unread, row.shopName, row.title]),
      [[id, 'awaiting', true, '老张面馆', '打印机没有反应']],
    )
    assert.deepEqual((await noticesOf(agent.accountId)).at(-1), {
      ...{ title: '老张面馆提交了反馈', body: '打印机没有反应', link: `/admin/help/feedback?thread=${id}` },
    })
    await me.threads.read({ id })
    assert.equal((await me.threads.list({})).rows[0]?.unread, false)
    await reply(id, '请检查电源')
    const seen = await atShop(id)
    assert.deepEqual(
      seen.messages.map(({ from, text, seen }) => [from, text, seen]),
      [
        ['shop', '打印机没有反应', true],
        ['office', '请检查电源', false],
      ],
    )
    assert.deepEqual([seen.state, seen.unread], ['replied', true])
    await ask('threads.read', { id, upTo: seen.messages.at(-1)?.id })
    assert.equal((await me.threads.details({ id })).messages.at(-1)?.seen, true)
    await ask('threads.answer', { id, text: '还是不行' })
    assert.equal((await me.threads.details({ id })).thread.state, 'awaiting')
  })

  test('tells the point of sale of an answer in the transaction that gives it', async () => {
    const feed = feedOf(() => office)
    const id = await file()
    const told = await feed.told(() => reply(id, '请检查电源'), cookie)
    const { messages } = await me.threads.details({ id })
    assert.deepEqual(told, [
      {
        topic: 'feedback.replied',
        shopId: shop,
        data: { feedbackId: id, messageId: messages.at(-1)?.id, state: 'replied' },
      },
    ])
    assert.deepEqual(await feed.told(() => refusalOf(reply(id, ' ', 1)), cookie), [])
  })

  test('of two who answer at once the second is told who was first', async () => {
    const id = await file()
    const both = await Promise.all([
      refusalOf(reply(id, '请检查电源')),
      refusalOf(reply(id, '请重启', 0, colleague)),
    ])
    assert.equal(both.filter(code => code === 'ANSWERED_MEANWHILE').length, 1)
    assert.equal((await atShop(id)).messages.length, 2)
    const told = await me.threads
      .reply({ id, text: '再试试', revision: 0 })
      .catch((error: Error) => error.message)
    assert.match(String(told), /^已由.+回复，请查看后再发送$/)
    await reply(id, '再试试', 1)
  })

  test('asks for a text of at most 500 characters', async () => {
    const id = await file()
    assert.equal(await refusalOf(reply(id, '  ')), 'CONTENT_REQUIRED')
    assert.equal(await refusalOf(reply(id, '长'.repeat(501))), 'CONTENT_TOO_LONG')
    await reply(id, '长'.repeat(500))
    assert.equal((await ask('threads.file', { id: shop, text: '' })).code, 'CONTENT_REQUIRED')
  })

  test('is found by what was said in it', async () => {
    const id = await file()
    await reply(id, '请更换热敏纸')
    await file('会员积分不对')
    assert.deepEqual(
      (await me.threads.list({ search: '热敏' })).rows.map(row => row.id),
      [id],
    )
  })

  test('shows who else looks at it and types', async () => {
    const id = await file()
    await colleague.threads.here({ id, typing: true })
    assert.deepEqual((await me.threads.presence({ id })).people, [{ name: '李四', typing: true }])
    assert.deepEqual((await colleague.threads.presence({ id })).people, [])
  })
})

describe('an ended thread', () => {
  test('takes nothing more from either side, and is opened anew with a reason', async () => {
    const id = await file()
    await me.threads.close({ id })
    assert.equal(await refusalOf(reply(id, '还有', 1)), 'THREAD_CLOSED')
    assert.equal((await ask('threads.answer', { id, text: '还有' })).code, 'THREAD_CLOSED')
    assert.equal(await refusalOf(me.threads.close({ id })), 'CLOSED_ALREADY')
    assert.equal(await refusalOf(me.threads.reopen({ id, reason: ' ' })), 'REASON_REQUIRED')
    await me.threads.reopen({ id, reason: '客户来电说没好' })
    assert.equal(await refusalOf(me.threads.reopen({ id, reason: '再' })), 'NOT_CLOSED')
    const { thread, messages } = await me.threads.details({ id })
    assert.equal(thread.state, 'awaiting')
    assert.ok(messages.some(({ side, text }) => side === 'note' && text.includes('客户来电说没好')))
    assert.ok(!JSON.stringify(await atShop(id)).includes('客户来电说没好'))
  })

  test('is rated once', async () => {
    const id = await file()
    const first = (await atShop(id)).messages[0]?.id
    await me.threads.close({ id })
    const messageId = (await atShop(id)).messages.at(-1)?.id
    const rating = { id, messageId, satisfaction: 'average', resolution: 'resolved' }
    assert.equal((await ask('threads.rate', { ...rating, messageId: first })).code, 'RATING_NOT_ASKED')
    assert.equal((await ask('threads.rate', rating)).status, 200)
    assert.equal((await ask('threads.rate', { ...rating, satisfaction: 'satisfied' })).code, 'RATED_ALREADY')
    const { rows } = await me.threads.list({})
    assert.deepEqual([rows[0]?.satisfaction, rows[0]?.resolution], ['average', 'resolved'])
    assert.equal((await noticesOf(agent.accountId)).at(-1)?.body, '一般、已解决')
  })

  test('can still be told something', async () => {
    const id = await file()
    await me.threads.close({ id })
    await actAsSystem(office.app.services, 'test', ctx => tellThread(ctx, id, ONLINE))
    const { state, messages } = await atShop(id)
    const last = messages.at(-1)
    assert.deepEqual(
      [state, last?.from, last?.text, last?.rating],
      ['closed', 'system', '您提出的需求已上线。', null],
    )
  })

  test('asks its shop to rate once, however often it ends and whatever comes of it', async () => {
    const asked = async (id: number) => (await atShop(id)).messages.filter(({ rating }) => rating !== null)
    const id = await file()
    await me.threads.close({ id })
    await me.threads.reopen({ id, reason: '又坏了' })
    await me.threads.close({ id })
    assert.deepEqual(
      (await asked(id)).map(({ text }) => text),
      ['本次反馈已关闭，欢迎您对处理结果作出评价。'],
    )
    assert.equal((await atShop(id)).messages.at(-1)?.text, '本次反馈已关闭。')
    // The one question may be answered after the second end, too.
    const messageId = (await asked(id))[0]?.id
    const rating = { id, messageId, satisfaction: 'satisfied', resolution: 'resolved' }
    assert.equal((await ask('threads.rate', rating)).status, 200)
    // What comes of it may be the first to ask.
    const open = await file('想要会员储值')
    await actAsSystem(office.app.services, 'test', ctx => tellThread(ctx, open, ONLINE))
    await me.threads.close({ id: open })
    assert.deepEqual(
      (await asked(open)).map(({ text }) => text),
      ['您提出的需求已上线。欢迎试用后作出评价。'],
    )
  })
})

describe('who sees what', () => {
  test('notes are for colleagues, never for the shop', async () => {
    const id = await file()
    await me.threads.note({ id, text: '客户情绪很急' })
    assert.ok((await me.threads.details({ id })).messages.some(({ side }) => side === 'note'))
    for (const name of ['threads.thread', 'threads.ofShop'] as const) {
      const answer = await ask(name, { id: name === 'threads.thread' ? id : shop })
      assert.equal(answer.status, 200)
      assert.ok(!JSON.stringify(answer.body).includes('客户情绪很急'))
    }
    assert.equal((await me.threads.list({ search: '情绪很急' })).total, 0)
  })

  test('the vendor’s staff see a thread once its agent has passed it on, and may give it back', async () => {
    const id = await file()
    assert.equal(await refusalOf(staff.threads.details({ id })), 'NOT_FOUND')
    await me.threads.passOn({ id, to: 'vendor', note: '疑似软件缺陷' })
    assert.equal(await refusalOf(me.threads.passOn({ id, to: 'vendor' })), 'PASSED_ALREADY')
    assert.equal(await refusalOf(me.threads.assign({ id, accountId: agent.accountId })), 'NOT_YOUR_DESK')
    const [row] = (await staff.threads.all({ search: String(shop) })).rows
    assert.deepEqual([row?.id, row?.desk], [id, 'vendor'])
    await reply(id, '已定位，今晚发布修复', 0, staff)
    assert.equal((await noticesOf(agent.accountId)).at(-1)?.title, '老张面馆的反馈已由厂商回复')
    assert.equal((await atShop(id)).messages.at(-1)?.text, '已定位，今晚发布修复')
    await staff.threads.passOn({ id, to: 'agent', note: '请联系客户确认' })
    assert.equal(await refusalOf(staff.threads.details({ id })), 'NOT_FOUND')
    await reply(id, '请升级后再试', 1)
  })

  test('what was passed on is answered, ended and given back by the vendor alone, while its agent reads and notes', async () => {
    const id = await file()
    await me.threads.passOn({ id, to: 'vendor' })
    for (const doing of [
      () => reply(id, '我们看看'),
      () => me.threads.close({ id }),
      () => me.threads.passOn({ id, to: 'agent' }),
    ])
      assert.equal(await refusalOf(doing()), 'WITH_VENDOR')
    await me.threads.note({ id, text: '客户已催两次' })
    assert.ok((await staff.threads.details({ id })).messages.some(({ text }) => text === '客户已催两次'))
    assert.equal((await atShop(id)).messages.length, 1)
    await reply(id, '今晚修复', 0, staff)
    await staff.threads.close({ id })
    assert.equal(await refusalOf(me.threads.reopen({ id, reason: '又坏了' })), 'WITH_VENDOR')
  })

  test('feedback of the vendor’s own shops lies with the vendor at once', async () => {
    const own = await makeMerchant(office, staffAgent.id, { shop_name: '直营店' })
    const by = await callerOf(await office.login(staffAgent.loginName))
    const id = idOf(await by('threads.file', { id: own, text: '扫码枪坏了' }))
    const [row] = (await staff.threads.all({ search: '直营店' })).rows
    assert.deepEqual([row?.id, row?.desk], [id, 'vendor'])
    assert.equal((await staff.threads.list({ search: '直营店' })).total, 1)
    assert.equal(await refusalOf(staff.threads.passOn({ id, to: 'agent' })), 'VENDORS_OWN')
  })

  test('assigned to one person, only that person is told', async () => {
    const id = await file()
    const { rows } = await me.threads.people()
    const other = rows.find(({ name }) => name === '李四')
    await me.threads.assign({ id, accountId: other?.id ?? null })
    const before = (await noticesOf(agent.accountId)).length
    await ask('threads.answer', { id, text: '还在等' })
    assert.equal((await noticesOf(agent.accountId)).length, before)
    assert.equal((await noticesOf(other?.id ?? 0)).at(-1)?.body, '还在等')
    const foreign = await makeAgent(office)
    assert.equal(await refusalOf(me.threads.assign({ id, accountId: foreign.accountId })), 'PERSON_UNKNOWN')
  })

  test('what is open goes along with a shop that moves, what is closed stays until it is opened anew', async () => {
    const picture = await pictured()
    const open = await file('打印机没有反应', [picture])
    const closed = await file('已经解决的问题')
    await me.threads.close({ id: closed })
    const next = await makeAgent(office)
    const theirCookie = await office.login(next.loginName)
    const theirs = office.as(theirCookie)
    await office.owner.query('update merchants set agent_id = $2 where id = $1', [shop, next.id])
    assert.deepEqual(
      (await theirs.threads.list({})).rows.map(row => row.id),
      [open],
    )
    assert.equal((await theirs.threads.details({ id: open })).messages.length, 1)
    const shown = await office.app.http.inject({
      url: `/api/files/${picture}`,
      headers: { cookie: theirCookie },
    })
    assert.equal(shown.statusCode, 200)
    assert.equal(await refusalOf(me.threads.details({ id: open })), 'NOT_FOUND')
    assert.equal((await me.threads.details({ id: closed })).thread.state, 'closed')
    assert.equal(await refusalOf(me.threads.reopen({ id: closed, reason: '又坏了' })), 'SHOP_MOVED')
    assert.equal((await ask('threads.thread', { id: open })).code, 'NOT_FOUND')
  })

  test('a person who sees their own shops alone sees no other’s feedback', async () => {
    const nodeIds = ['threads.list', 'threads.reply'].map(nodeId)
    const seller = await makeAccount(office, agent.id, { nodeIds, dataScope: 'own' })
    const theirs = office.as(await office.login(seller.loginName))
    const id = await file()
    assert.equal((await theirs.threads.list({})).total, 0)
    assert.equal(await refusalOf(theirs.threads.details({ id })), 'NOT_FOUND')
    await office.owner.query('update merchants set manager_id = $2 where id = $1', [shop, seller.accountId])
    assert.equal((await theirs.threads.list({})).total, 1)
    await reply(id, '我来处理', 0, theirs)
  })
})

describe('pictures', () => {
  test('come with a message, are written anew, and are read at the door', async () => {
    const picture = await pictured()
    const id = await file('见图', [picture])
    assert.deepEqual((await atShop(id)).messages[0]?.pictures, [picture])
    const read = (await ask('threads.picture', { id: picture })).body as { type: string; data: string }
    assert.equal(read.type, 'image/webp')
    assert.equal((await sharp(Buffer.from(read.data, 'base64')).metadata()).format, 'webp')
    assert.equal((await me.threads.details({ id })).thread.pictureId, picture)
    // It belongs to one message.
    assert.equal(
      (await ask('threads.file', { id: shop, text: '再来', pictures: [picture] })).code,
      'PICTURE_UNKNOWN',
    )
  })

  test('are at most five of 500 KB, JPEG or PNG', async () => {
    const noise = await sharp(randomBytes(450 * 450 * 3), { raw: { width: 450, height: 450, channels: 3 } })
      .png()
      .toBuffer()
    assert.ok(noise.length > 500 * 1_024)
    const tooLarge = await upload(noise)
    assert.deepEqual([tooLarge.code, tooLarge.message], ['PICTURE_TOO_LARGE', '图片大小不能超过500KB'])
    assert.equal((await upload(Buffer.from('GIF89a plain'))).code, 'PICTURE_FORMAT')
    const six = await Promise.all(Array.from({ length: 6 }, pictured))
    assert.equal(
      (await ask('threads.file', { id: shop, text: '见图', pictures: six })).code,
      'PICTURES_TOO_MANY',
    )
    await file('见图', six.slice(1))
    assert.equal(
      (await ask('threads.file', { id: shop, text: '见图', pictures: [crypto.randomUUID()] })).code,
      'PICTURE_UNKNOWN',
    )
  })

  test('of the vendor’s staff are seen by the shop’s agent', async () => {
    const id = await file()
    await me.threads.passOn({ id, to: 'vendor' })
    const by = await callerOf(await office.login(staffAgent.loginName))
    const picture = String(idOf(await upload(await png(), by)))
    await staff.threads.reply({ id, text: '按图操作', pictures: [picture], revision: 0 })
    const shown = await office.app.http.inject({ url: `/api/files/${picture}`, headers: { cookie } })
    assert.equal(shown.statusCode, 200)
    assert.equal((await ask('threads.picture', { id: picture })).status, 200)
  })
})

describe('older feedback', () => {
  test('stands among the threads with its answer, and is answered where it is kept', async () => {
    const { id } = await me.feedback.submit({ content: '希望支持批量导入' })
    const [row] = (await me.threads.list({})).rows
    assert.deepEqual([row?.kind, row?.state, row?.title], ['older', 'awaiting', '希望支持批量导入'])
    const thread = row?.id as number
    assert.equal(await refusalOf(reply(thread, '好的')), 'OLDER_NOT_YOURS')
    assert.equal(await refusalOf(me.threads.close({ id: thread })), 'OLDER_AS_IT_IS')
    await reply(thread, '下个版本支持', 0, staff)
    const { rows } = await me.feedback.mine({})
    assert.deepEqual([rows[0]?.id, rows[0]?.answer], [id, '下个版本支持'])
    const shown = await me.threads.details({ id: thread })
    assert.deepEqual(
      [shown.thread.state, ...shown.messages.map(({ side, text }) => `${side} ${text}`)],
      ['replied', 'shop 希望支持批量导入', 'vendor 下个版本支持'],
    )
    assert.equal(await refusalOf(reply(thread, '再答', 1, staff)), 'OLDER_ANSWERED')
  })
})

describe('limits and figures', () => {
  test('a disabled shop files nothing, and a shop so many a day', async () => {
    await office.owner.query(`update merchants set status = 'disabled' where id = $1`, [shop])
    assert.equal((await ask('threads.file', { id: shop, text: '在吗' })).code, 'MERCHANT_DISABLED')
    await office.owner.query(`update merchants set status = 'normal' where id = $1`, [shop])
    for (let i = 0; i < 20; i++) await file(`第${i}条`)
    assert.equal((await ask('threads.file', { id: shop, text: '又一条' })).code, 'THREADS_TOO_MANY')
  })

  test('the start page counts what waits, and the list holds as many', async () => {
    const answered = await file()
    await reply(answered, '已处理')
    await file('会员积分不对')
    const passed = await file('软件闪退')
    await me.threads.passOn({ id: passed, to: 'vendor' })
    const mine = (await me.dashboard.todo()).items.find(({ key }) => key === 'threads')
    const list = await me.threads.list({ state: 'awaiting', desk: 'agent', kind: 'shop' })
    assert.deepEqual([mine?.count, list.total], [1, 1])
    const theirs = (await staff.dashboard.todo()).items.find(({ key }) => key === 'threadsPassed')
    assert.equal(theirs?.count, (await staff.threads.all({ state: 'awaiting', kind: 'shop' })).total)
    await reply(passed, '已修复', 0, staff)
    const figures = await staff.threads.figures()
    assert.ok(figures.answered >= 1 && figures.medianMinutes !== null)
  })
})
