// What shops see at their addresses, how an agent writes it, and who is let in (D3 Home-page config).
import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import sharp from 'sharp'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { codeSentTo, makePass } from '#test/make-codes.ts'
import { makeRenewal, makeShopCode, pageContent } from '#test/make-shop-pages.ts'
import { UNKNOWN_CODES } from './rules.ts'

let office: Office
let agent: MadeAgent
let cookie: string
let me: Client
let phone = 13_900_000_000
before(async () => {
  office = await openOffice()
})
after(() => office.stop())
beforeEach(async () => {
  agent = await makeAgent(office, { tokens: 10_000 })
  cookie = await office.login(agent.loginName)
  me = office.as(cookie)
})

const nobody = () => office.as(null)
const codeOf = (url: string) => url.split('/').at(-1) as string

async function makeShop(
  columns: Record<string, unknown> = {},
): Promise<{ merchantId: number; code: string }> {
  const expires_at = new Date(Date.now() + 9.5 * 86_400_000).toISOString()
  const account = String(++phone)
  const merchantId = await makeMerchant(office, agent.id, { account, expires_at, ...columns })
  return { merchantId, code: await makeShopCode(office, agent.id, merchantId) }
}

async function get(path: string, headers: Record<string, string> = {}) {
  return office.app.http.inject({ url: `/api${path}`, headers })
}

async function upload(purpose: string, width: number, height: number, noisy = false) {
  const noise = noisy ? { noise: { type: 'gaussian' as const, mean: 128, sigma: 90 } } : {}
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#246', ...noise } })
    .png()
    .toBuffer()
  const answer = await office.app.http.inject({
    method: 'POST',
    url: `/api/files?purpose=${purpose}`,
    headers: { 'x-requested-with': 'partner-office', 'content-type': 'image/png', cookie },
    payload: bytes,
  })
  return answer.json() as { id?: string; code?: string; message?: string }
}

test('a page is drafted, published, seen by shops, and an earlier one is put back', async () => {
  const { code } = await makeShop({ shop_name: '老张面馆' })
  assert.deepEqual((await nobody().shopPages.page({ code })).blocks, [])
  const first = pageContent({ manager: '王经理' })
  await me.shopPages.saveDraft({ content: first, revision: 0 })
  assert.deepEqual((await nobody().shopPages.page({ code })).blocks, [], 'a draft is nobody’s business')
  assert.equal((await me.shopPages.publish({ content: first, revision: 1 })).number, 1)
  const shown = async () =>
    (await nobody().shopPages.page({ code })).blocks.map(({ type, text }) => [type, text])
  assert.deepEqual(await shown(), [
    ['manager', '王经理'],
    ['hotline', '400-800-1234'],
  ])
  const second = pageContent({ manager: '李经理' })
  await me.shopPages.publish({ content: second, revision: 2 })
  assert.equal((await shown())[0]?.[1], '李经理')
  assert.equal(await refusalOf(me.shopPages.publish({ content: second, revision: 3 })), 'NOTHING_TO_PUBLISH')
  assert.equal(await refusalOf(me.shopPages.publish({ content: first, revision: 1 })), 'STALE')
  assert.equal((await me.shopPages.restore({ number: 1 })).number, 3)
  assert.equal((await shown())[0]?.[1], '王经理')
  const { versions, content } = await me.shopPages.settings()
  assert.deepEqual(
    versions.map(({ number, restoredFrom }) => [number, restoredFrom]),
    [
      [3, 1],
      [2, null],
      [1, null],
    ],
  )
  assert.equal(content.blocks[0]?.text, '王经理')
})

test('manager and hotline are required with a warning each, and nothing is saved without them', async () => {
  const save = (content: ReturnType<typeof pageContent>) =>
    refusalOf(me.shopPages.saveDraft({ content, revision: 0 }))
  assert.equal(await save(pageContent({ manager: ' ' })), 'MANAGER_REQUIRED')
  assert.equal(await save(pageContent({ hotline: '' })), 'HOTLINE_REQUIRED')
  const long = pageContent()
  assert.equal(
    await save({
      ...long,
      blocks: long.blocks.map(block =>
        block.type === 'linkTwo' ? { ...block, text: '字'.repeat(101) } : block,
      ),
    }),
    'TEXT_TOO_LONG',
  )
  assert.equal((await me.shopPages.settings()).draft, null)
})

test('the log says which block changed from what to what', async () => {
  await me.shopPages.saveDraft({ content: pageContent({ manager: '王经理' }), revision: 0 })
  await me.shopPages.saveDraft({ content: pageContent({ manager: '李经理' }), revision: 1 })
  const { rows } = await office.owner.query<{ changes: unknown }>(
    `select changes from operation_logs where agent_id = $1 and title = '保存门店首页草稿' order by id desc limit 1`,
    [agent.id],
  )
  assert.deepEqual(rows[0]?.changes, [{ name: '服务经理·文字', before: '王经理', after: '李经理' }])
})

test('pictures are held to 300 KB and their size, are seen without an account, and others are not', async () => {
  const big = await upload('shopPageIcon', 600, 600, true)
  assert.deepEqual([big.code, big.message], ['PICTURE_TOO_LARGE', '图片大小不能超过300KB'])
  const { id = '' } = await upload('shopPageIcon', 900, 900)
  const seen = await get(`/files/${id}`)
  assert.equal(seen.statusCode, 200)
  const { width, height } = await sharp(seen.rawPayload).metadata()
  assert.deepEqual([width, height], [200, 200])
  const content = pageContent()
  const withPicture = (pictureId: string) => ({
    ...content,
    blocks: content.blocks.map(block => (block.type === 'manager' ? { ...block, pictureId } : block)),
  })
  const { code } = await makeShop()
  await me.shopPages.publish({ content: withPicture(id), revision: 0 })
  assert.equal((await nobody().shopPages.page({ code })).blocks[0]?.picture, `/api/files/${id}`)
  const { rows } = await office.owner.query('select 1 from shop_page_pictures where file_id = $1', [id])
  assert.equal(rows.length, 2, 'the draft and the version both keep it')
  const other = await makeAgent(office)
  const stranger = office.as(await office.login(other.loginName))
  const stolen = refusalOf(stranger.shopPages.saveDraft({ content: withPicture(id), revision: 0 }))
  assert.equal(await stolen, 'PICTURE_UNKNOWN')
  const product = await office.owner.query<{ id: string }>(
    `insert into files (id, agent_id, purpose, mime, width, height, byte_size, created_by, created_at)
     values (gen_random_uuid(), $1, 'product', 'image/webp', 1, 1, 1, 0, now()) returning id`,
    [agent.id],
  )
  assert.equal((await get(`/files/${product.rows[0]?.id}`)).statusCode, 401)
})

test('the page tells a shop’s name, version, term and SMS credit, and nothing about a person', async () => {
  const { code } = await makeShop({ shop_name: '老张面馆', person_name: '张三丰', remark: '难缠' })
  const answer = await get(`/shop-pages/${code}`)
  const page = answer.json()
  const { expiresAt, ...shop } = page.shop
  assert.ok(expiresAt)
  assert.deepEqual(shop, { name: '老张面馆', versionName: '高级版', daysLeft: 10, smsBalance: 0 })
  assert.deepEqual(page.agent, { name: `代理商${agent.id}`, logo: null })
  for (const secret of ['张三丰', '难缠', String(phone)]) assert.ok(!answer.body.includes(secret), secret)
})

test('a client that has the page already is told so', async () => {
  const { code } = await makeShop()
  const first = await get(`/shop-pages/${code}`)
  const tag = String(first.headers.etag)
  assert.match(tag, /^"[\w-]{27}"$/)
  const again = await get(`/shop-pages/${code}`, { 'if-none-match': tag })
  assert.deepEqual([again.statusCode, again.body], [304, ''])
  await me.shopPages.publish({ content: pageContent(), revision: 0 })
  const changed = await get(`/shop-pages/${code}`, { 'if-none-match': tag })
  assert.equal(changed.statusCode, 200)
  assert.notEqual(changed.headers.etag, tag)
})

test('an address is made once, is unguessable, and one that was replaced answers as one that never was', async () => {
  const merchantId = await makeMerchant(office, agent.id)
  assert.equal((await me.shopPages.link({ merchantId })).link, null)
  const { url } = await me.shopPages.makeLink({ merchantId })
  const code = codeOf(url)
  assert.match(code, /^[\w-]{32}$/)
  assert.equal(await refusalOf(me.shopPages.makeLink({ merchantId })), 'LINK_STANDS')
  const fresh = codeOf((await me.shopPages.renewLink({ merchantId })).url)
  assert.notEqual(fresh, code)
  const answers = await Promise.all([code, 'A'.repeat(32)].map(one => get(`/shop-pages/${one}`)))
  const told = answers.map(({ statusCode, body }) => [statusCode, body])
  assert.deepEqual(told[0], told[1])
  assert.equal(told[0]?.[0], 404)
  assert.equal((await nobody().shopPages.page({ code: fresh })).state, 'open')
  const { link, history } = await me.shopPages.link({ merchantId })
  assert.equal(codeOf(link?.url ?? ''), fresh)
  assert.deepEqual(
    history.map(({ revokedAt }) => revokedAt === null),
    [true, false],
  )
})

test('a shop that was moved or closed, and one whose agent is, has no page to see', async () => {
  const moved = await makeShop()
  const closed = await makeShop({ status: 'disabled' })
  const other = await makeAgent(office)
  await office.owner.query('update merchants set agent_id = $2 where id = $1', [moved.merchantId, other.id])
  assert.equal(await refusalOf(nobody().shopPages.page({ code: moved.code })), 'NOT_FOUND')
  const page = await nobody().shopPages.page({ code: closed.code })
  assert.deepEqual([page.state, page.shop, page.agent], ['shopDisabled', null, null])
  const standing = await makeShop()
  await office.owner.query(`update agents set status = 'closed' where id = $1`, [agent.id])
  assert.equal((await nobody().shopPages.page({ code: standing.code })).state, 'agentDisabled')
  assert.equal(
    await refusalOf(nobody().shopPages.sendCode({ code: standing.code, captcha: 'x' })),
    'PAGE_CLOSED',
  )
})

test('a network that tries addresses is held back after some, and nobody else', async () => {
  const own = await openOffice()
  try {
    const tried: string[] = []
    for (let i = 0; i <= UNKNOWN_CODES.perNetwork; i++)
      tried.push(await refusalOf(own.as(null).shopPages.page({ code: String(i).padStart(32, 'A') })))
    assert.deepEqual(
      [tried.filter(code => code === 'NOT_FOUND').length, tried.at(-1)],
      [UNKNOWN_CODES.perNetwork, 'THROTTLED'],
    )
    const elsewhere = await own.app.http.inject({
      url: `/api/shop-pages/${'B'.repeat(32)}`,
      remoteAddress: '203.0.113.7',
    })
    assert.equal(elsewhere.statusCode, 404)
  } finally {
    await own.stop()
  }
})

async function signIn(code: string, merchantId: number): Promise<string> {
  await nobody().shopPages.sendCode({ code, captcha: await makePass(office, 'shop', code) })
  const answer = await office.app.http.inject({
    method: 'POST',
    url: `/api/shop-pages/${code}/session`,
    headers: { 'x-requested-with': 'partner-office' },
    payload: { typed: await codeSentTo(office, merchantId) },
  })
  assert.equal(answer.statusCode, 200, answer.body)
  const [guest] = answer.cookies
  assert.ok(guest?.httpOnly)
  return `${guest?.name}=${guest?.value}`
}

test('a shop signs in with a code to its phone and sees its own, masked, for a while', async () => {
  const shop = await makeShop({ person_name: '张三丰', shop_name: '老张面馆' })
  const { code, merchantId } = shop
  const orderNo = await makeRenewal(office, { agentId: agent.id, merchantId, state: 'renewed' })
  assert.equal(await nobody().shopPages.account({ code }), null)
  assert.equal(await refusalOf(nobody().shopPages.sendCode({ code })), 'CAPTCHA_REQUIRED')
  const guest = office.as(await signIn(code, merchantId))
  const account = await guest.shopPages.account({ code })
  assert.ok(account)
  const shown = String(phone)
  assert.deepEqual(account.contact, {
    personName: '张＊＊',
    phone: `${shown.slice(0, 3)}****${shown.slice(-4)}`,
    shopPhone: '',
  })
  assert.deepEqual(
    account.receipts.map(receipt => [receipt.orderNo, receipt.amountFen, receipt.payee]),
    [[orderNo, 30_000, `代理商${agent.id}`]],
  )
  // Its session is good for nothing else: neither another shop's page nor an account's operation.
  const other = await makeShop()
  assert.equal(await guest.shopPages.account({ code: other.code }), null)
  assert.equal(await refusalOf(guest.shopPages.settings()), 'UNAUTHENTICATED')
  await office.owner.query(
    `update shop_sessions set expires_at = now() - interval '1 second' where merchant_id = $1`,
    [merchantId],
  )
  assert.equal(await guest.shopPages.account({ code }), null)
})

test('signing out, and replacing the address, end the session at once', async () => {
  const { code, merchantId } = await makeShop()
  const guest = office.as(await signIn(code, merchantId))
  assert.ok(await guest.shopPages.account({ code }))
  await guest.shopPages.signOut({ code })
  assert.equal(await guest.shopPages.account({ code }), null)
  await office.owner.query(
    `update verification_codes set created_at = created_at - interval '2 minutes' where merchant_id = $1`,
    [merchantId],
  )
  const again = office.as(await signIn(code, merchantId))
  const fresh = codeOf((await me.shopPages.renewLink({ merchantId })).url)
  assert.equal(await again.shopPages.account({ code: fresh }), null)
})

test('a wrong code is counted and ends the code after some; the log tells whose it was', async () => {
  const { code, merchantId } = await makeShop()
  await nobody().shopPages.sendCode({ code, captcha: await makePass(office, 'shop', code) })
  const real = await codeSentTo(office, merchantId)
  const wrong = real === '000000' ? '111111' : '000000'
  const tries: string[] = []
  for (let i = 0; i < 6; i++) tries.push(await refusalOf(nobody().shopPages.signIn({ code, typed: wrong })))
  assert.deepEqual(tries, [...Array(4).fill('CODE_WRONG'), 'CODE_SPENT', 'CODE_SPENT'])
  assert.equal(await refusalOf(nobody().shopPages.signIn({ code, typed: real })), 'CODE_SPENT')
  const { rows } = await office.owner.query(
    `select 1 from operation_logs where agent_id = $1 and title = '验证码错误' and merchant_id = $2`,
    [agent.id, merchantId],
  )
  assert.equal(rows.length, 5)
})
