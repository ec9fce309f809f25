// What point-of-sale software reads of shops, over HTTP with a key.
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import type { Out } from '#kit/declare/op.ts'
import { type Office, openOffice } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant, makeMerchants } from '#test/make.ts'
import { makeKey, nodeId, posCaller, withoutLimit } from '#test/make-api-keys.ts'
import { giveSms } from '#test/make-messages.ts'
import { pageContent } from '#test/make-shop-pages.ts'
import type { pos as contract } from './contract-pos.ts'

type Page = Out<typeof contract.shops>
type Shop = Out<typeof contract.shop>
type Secrets = Out<typeof contract.paymentSecrets>

let office: Office
let agent: MadeAgent
let cookie: string
let keyId: number

const VERBS = ['pos.read', 'pos.secrets']
let ask: ReturnType<typeof posCaller>
const read = async (id: number) => (await ask('pos.shop', { id })).body as Shop

async function keyOf(loginName: string, verbs = VERBS) {
  const key = await makeKey(office, await office.login(loginName), verbs)
  await withoutLimit(office, key)
  return key
}

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office, { sms: 100 })
  cookie = await office.login(agent.loginName)
  const key = await keyOf(agent.loginName)
  ask = posCaller(office, key.bearer)
  keyId = key.id
})
after(() => office.stop())

describe('one shop', () => {
  test('says what it is and has, without a secret', async () => {
    const sealed = office.app.services.secrets.encrypt(JSON.stringify({ mercId: 'M1', signKey: '不外传' }))
    const id = await makeMerchant(office, agent.id, {
      ...{ shop_name: '面馆', signature: '老张', verification_status: 'verified', payment_method_id: 3 },
      ...{ payment_config: sealed, pay_enabled: true, source: 'app', version_id: 12 },
    })
    await giveSms(office, { agentId: agent.id, merchantId: id, pieces: 7 })
    await office.owner.query(
      `insert into merchant_services (agent_id, merchant_id, service_id, quantity, expires_at)
         select $1, $2, id, 1, '2030-01-01T00:00:00Z' from services where parent_id is not null order by position limit 2`,
      [agent.id, id],
    )
    await office.owner.query(
      `update versions set function_ids = array(select id from version_functions order by id limit 2) where id = 12`,
    )
    const shop = await read(id)
    assert.deepEqual(
      [shop.id, shop.shopName, shop.status, shop.agentId, shop.source, shop.revision],
      [id, '面馆', 'normal', agent.id, 'app', 1],
    )
    assert.deepEqual([shop.version.id, shop.version.name, shop.version.functions.length], [12, '高级版', 2])
    assert.deepEqual([shop.industry.id, typeof shop.industry.name], [2, 'string'])
    assert.deepEqual(
      shop.services.map(({ quantity, expiresAt }) => [quantity, expiresAt]),
      [
        [1, '2030-01-01T00:00:00.000Z'],
        [1, '2030-01-01T00:00:00.000Z'],
      ],
    )
    assert.equal(shop.smsBalance, 7)
    assert.deepEqual(shop.signature, { text: '老张', usable: false })
    const { payment } = shop
    assert.deepEqual(
      [payment?.methodId, payment?.enabled, payment?.config, payment?.secretKeys],
      [3, true, { mercId: 'M1' }, ['signKey']],
    )
    assert.ok(!JSON.stringify(shop).includes('不外传'))
    assert.match(shop.expiresAt ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  })

  test('has nothing where nothing is set up, and a signature that no SMS service has approved is not used', async () => {
    const id = await makeMerchant(office, agent.id, { signature: '未审', expires_at: null })
    const shop = await read(id)
    assert.deepEqual(
      [shop.payment, shop.services, shop.smsBalance, shop.expiresAt, shop.branchIds],
      [null, [], 0, null, []],
    )
    assert.deepEqual(shop.signature, { text: '未审', usable: false })
  })

  test('a head names its branches, and a branch its head', async () => {
    const head = await makeMerchant(office, agent.id)
    const branches = [
      await makeMerchant(office, agent.id, { store_kind: 'branch', head_id: head }),
      await makeMerchant(office, agent.id, { store_kind: 'branch', head_id: head }),
    ]
    assert.deepEqual((await read(head)).branchIds, branches)
    const branch = await read(branches[0] as number)
    assert.deepEqual([branch.storeKind, branch.headId, branch.branchIds], ['branch', head, []])
  })

  test('comes with what its agent has published for its home page', async () => {
    const id = await makeMerchant(office, agent.id)
    const before = await read(id)
    assert.deepEqual(
      [before.agent.id, before.agent.name, before.agent.blocks],
      [agent.id, `代理商${agent.id}`, []],
    )
    const me = office.as(cookie)
    await me.shopPages.publish({ content: pageContent() as never, revision: 0 })
    const { blocks } = (await read(id)).agent
    assert.deepEqual(
      blocks.map(({ type, text }) => [type, text]),
      [
        ['manager', '王经理'],
        ['hotline', '400-800-1234'],
      ],
    )
  })

  test('is found by its account', async () => {
    const id = await makeMerchant(office, agent.id, { account: '18644440001' })
    assert.equal(((await ask('pos.findShop', { account: ' 18644440001 ' })).body as Shop).id, id)
    assert.equal((await ask('pos.findShop', { account: '18644440002' })).code, 'NOT_FOUND')
  })

  test('is not sent again to whoever has it as it is', async () => {
    const id = await makeMerchant(office, agent.id)
    const { headers } = await ask('pos.shop', { id })
    const tag = String(headers.etag)
    assert.match(tag, /^".+"$/)
    const same = await ask('pos.shop', { id }, { headers: { 'if-none-match': tag } })
    assert.deepEqual([same.status, same.bytes.length], [304, 0])
    await office.owner.query(`update merchants set status = 'disabled' where id = $1`, [id])
    const changed = await ask('pos.shop', { id }, { headers: { 'if-none-match': tag } })
    assert.deepEqual([changed.status, (changed.body as Shop).status], [200, 'disabled'])
    // A sign-in is none of what a copy holds.
    const now = await ask('pos.shop', { id })
    await office.owner.query('update merchants set last_login_at = now() where id = $1', [id])
    assert.equal(
      (await ask('pos.shop', { id }, { headers: { 'if-none-match': String(now.headers.etag) } })).status,
      304,
    )
  })
})

describe('a copy of all shops', () => {
  /** Page after page until there is no more. */
  async function copy(size: number, by?: string): Promise<Page[]> {
    const pages: Page[] = []
    for (let after = 0, more = true; more; ) {
      const page = (await ask('pos.shops', { after, size }, by === undefined ? {} : { by })).body as Page
      pages.push(page)
      more = page.more
      after = page.last
    }
    return pages
  }
  const idsOf = (pages: readonly Page[]) => pages.flatMap(({ shops }) => shops.map(({ id }) => id))

  test('has each once, in the order of their ids, and nothing of another agency', async () => {
    const other = await makeAgent(office)
    await makeMerchants(office, agent.id, 7, () => ({}))
    await makeMerchants(office, other.id, 3, () => ({}))
    const { rows } = await office.owner.query<{ id: string }>(
      'select id from merchants where agent_id = $1 order by id',
      [agent.id],
    )
    const wanted = rows.map(({ id }) => Number(id))
    for (const size of [1, 3, wanted.length, 1_000]) assert.deepEqual(idsOf(await copy(size)), wanted)
    const pages = await copy(3)
    for (const { shops, agents, last } of pages) {
      assert.ok(shops.length <= 3)
      assert.deepEqual(
        agents.map(({ id }) => id),
        [agent.id],
      )
      assert.equal(last, shops.at(-1)?.id)
    }
    assert.equal((await ask('pos.shops', { size: 1_001 })).code, 'INPUT_INVALID')
  })

  test('is the same as each by itself', async () => {
    const [page] = await copy(2)
    for (const shop of page?.shops ?? []) {
      const { agent: ofIt, ...alone } = await read(shop.id)
      assert.deepEqual(alone, shop)
      assert.deepEqual(
        ofIt,
        page?.agents.find(({ id }) => id === shop.agentId),
      )
    }
  })

  test('goes on where nothing is: an empty page says so', async () => {
    const page = (await ask('pos.shops', { after: 99_999_999 })).body as Page
    assert.deepEqual(page, { shops: [], agents: [], last: 99_999_999, more: false })
  })

  test('of vendor staff has the shops of all agencies, each with its agent', async () => {
    const staff = await makeAgent(office, { staff: true })
    const { bearer: vendors } = await keyOf(staff.loginName)
    const pages = await copy(1_000, vendors)
    const { rows } = await office.owner.query<{ id: string }>('select id from merchants order by id')
    assert.deepEqual(
      idsOf(pages),
      rows.map(({ id }) => Number(id)),
    )
    for (const { shops, agents } of pages)
      assert.deepEqual(new Set(agents.map(({ id }) => id)), new Set(shops.map(({ agentId }) => agentId)))
  })

  test('of somebody who sees their own shops alone has those', async () => {
    const nodeIds = [...VERBS, 'apiKeys.list', 'apiKeys.edit'].map(nodeId)
    const person = await makeAccount(office, agent.id, { nodeIds, dataScope: 'own' })
    const mine = await makeMerchant(office, agent.id, { manager_id: person.accountId })
    const theirs = await makeMerchant(office, agent.id)
    const key = await keyOf(person.loginName)
    assert.deepEqual(idsOf(await copy(10, key.bearer)), [mine])
    assert.equal((await ask('pos.shop', { id: theirs }, { by: key.bearer })).code, 'NOT_FOUND')
    assert.equal((await ask('pos.paymentSecrets', { id: theirs }, { by: key.bearer })).code, 'NOT_FOUND')
  })
})

describe('the log', () => {
  type Row = { title: string; outcome: string; subject: string; merchant_id: string | null }
  const rowsOf = async (key: number) =>
    (
      await office.owner.query<Row>(
        `select title, outcome, subject, merchant_id from operation_logs
           where objects @> array[$1] and title <> '新建接口密钥' order by id`,
        [`apiKey:${key}`],
      )
    ).rows

  test('knows of every reading of secrets, with the shop, and of no other reading', async () => {
    const sealed = office.app.services.secrets.encrypt(JSON.stringify({ mercId: 'M9', signKey: '密钥' }))
    const id = await makeMerchant(office, agent.id, {
      ...{ shop_name: '有密钥', payment_method_id: 3, payment_config: sealed },
    })
    const before = await rowsOf(keyId)
    await ask('pos.shops')
    await ask('pos.shop', { id })
    await ask('pos.shop', { id: 1 })
    await ask('pos.findShop', { account: '1' })
    assert.deepEqual(await rowsOf(keyId), before)
    for (let times = 1; times <= 2; times++) {
      const { body, headers } = await ask('pos.paymentSecrets', { id })
      const wanted: Secrets = { shopId: id, methodId: 3, config: { mercId: 'M9', signKey: '密钥' } }
      assert.deepEqual(body, wanted)
      assert.deepEqual([headers.etag, headers['cache-control']], [undefined, 'no-store'])
      const rows = (await rowsOf(keyId)).slice(before.length)
      assert.equal(rows.length, times)
      assert.deepEqual(rows.at(-1), {
        ...{ title: '读取支付密钥', outcome: 'read' },
        ...{ subject: `有密钥 (${id})`, merchant_id: String(id) },
      })
    }
    const told = await office.as(cookie).operationLog.history({ kind: 'merchant', id: String(id) })
    assert.equal(told.rows.filter(({ title }) => title === '读取支付密钥').length, 2)
  })

  test('of the agency knows that the vendor has read the secrets of its shop', async () => {
    const staff = await makeAgent(office, { staff: true })
    const { bearer: vendors } = await keyOf(staff.loginName)
    const id = await makeMerchant(office, agent.id)
    const { body } = await ask('pos.paymentSecrets', { id }, { by: vendors })
    assert.deepEqual(body, { shopId: id, methodId: null, config: {} } satisfies Secrets)
    const { rows } = await office.owner.query(
      'select about_agent_id::int as about from operation_logs where merchant_id = $1',
      [id],
    )
    assert.deepEqual(rows, [{ about: agent.id }])
  })

  test('knows of what is not let in', async () => {
    const narrow = await keyOf(agent.loginName, ['pos.read'])
    assert.equal((await ask('pos.paymentSecrets', { id: 1 }, { by: narrow.bearer })).code, 'FORBIDDEN')
    const rows = await rowsOf(narrow.id)
    assert.deepEqual(
      rows.map(({ outcome }) => outcome),
      ['refused'],
    )
  })

  test('a reading of secrets whose row cannot be written is not answered', async () => {
    const id = await makeMerchant(office, agent.id)
    await office.owner.query('revoke execute on function log_operation(jsonb) from partner_office_app')
    try {
      assert.equal((await ask('pos.paymentSecrets', { id })).status, 500)
      assert.equal((await ask('pos.shop', { id })).status, 200)
    } finally {
      await office.owner.query('grant execute on function log_operation(jsonb) to partner_office_app')
    }
  })
})
