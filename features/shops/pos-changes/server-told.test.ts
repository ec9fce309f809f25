// What programs at the point of sale are told of: each topic by its trigger.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import { z } from 'zod'
import { posContract } from '#app/joined.ts'
import { listOps } from '#kit/declare/op.ts'
import { settingInSql } from '#server/office/settings.ts'
import { acting } from '#test/acting.ts'
import { type Office, openOffice } from '#test/app.ts'
import { feedOf } from '#test/changes/feed.ts'
import { type MadeAgent, makeAgent, makeMerchant, makeMerchants } from '#test/make.ts'
import { TOPIC_DATA } from './contract-pos.ts'
import { type ChangeTopic, SHOP_SMS_LOW, TOPIC_KEYS } from './rules.ts'
import { noteShopChange } from './server.ts'

/** As `Shop` of features/agencies/pos/contract-pos.ts has them. */
const SHOP_FIELDS = (() => {
  const shops = listOps(posContract).find(({ name }) => name === 'pos.shops')?.op['~orpc'].outputSchema
  const { shape } = shops as unknown as z.ZodObject<{ shops: z.ZodArray<z.ZodObject> }>
  return Object.keys(shape.shops.element.shape)
})()

let office: Office
let agent: MadeAgent
let other: MadeAgent
let cookie: string
let staff: string
before(async () => {
  office = await openOffice()
  agent = await makeAgent(office, { tokens: 10_000, sms: 5_000 })
  other = await makeAgent(office)
  cookie = await office.login(agent.loginName)
  staff = await office.login((await makeAgent(office, { operator: true })).loginName)
})
after(() => office.stop())

const run = (text: string, ...values: unknown[]) => office.owner.query(text, values)
const feed = feedOf(() => office)
const { read, sequence } = feed
const told = (work: () => Promise<unknown>) => feed.told(work, cookie)
const lastOf = () => feed.lastOf(cookie)

describe('what is told', () => {
  let shop: number
  beforeEach(async () => {
    shop = await makeMerchant(office, agent.id)
  })

  test('a new shop', async () => {
    let made = 0
    const all = await told(async () => {
      made = await makeMerchant(office, agent.id)
    })
    assert.deepEqual(all, [{ topic: 'shop.created', shopId: made, data: { revision: 1 } }])
  })

  test('what was edited of it, by name, and nothing where nothing of it is told', async () => {
    const edited = await told(() =>
      run(
        `update merchants set shop_name = '改名的店', address = '新地址', revision = revision + 1 where id = $1`,
        shop,
      ),
    )
    assert.deepEqual(edited, [
      { topic: 'shop.changed', shopId: shop, data: { fields: ['revision', 'shopName', 'address'] } },
    ])
    assert.deepEqual(
      await told(() => run('update merchants set last_login_at = now() where id = $1', shop)),
      [],
    )
    assert.deepEqual(
      await told(() => run('update merchants set shop_name = shop_name where id = $1', shop)),
      [],
    )
  })

  test('every field of it that a program reads, by its name or by a topic of its own', async () => {
    const wide = await makeAgent(office)
    const theirs = await office.login(wide.loginName)
    const head = await makeMerchant(office, wide.id, { version_id: 3, shops_bought: 3 })
    const written: Record<string, string> = {
      revision: 'revision = revision + 1',
      agentId: `agent_id = ${other.id}`,
      status: `status = 'disabled'`,
      storeKind: `store_kind = 'branch', head_id = ${head}`,
      headId: `store_kind = 'branch', head_id = ${head}`,
      shopName: `shop_name = '别的店名'`,
      shortName: `short_name = '别名'`,
      personName: `person_name = '别人'`,
      account: `account = '16600000000'`,
      shopPhone: `shop_phone = '0755-1234567'`,
      provinceCode: `province_code = '11'`,
      cityCode: `city_code = '1101'`,
      districtCode: `district_code = '110101'`,
      address: `address = '别处'`,
      industry: 'industry_id = industry_id % 2 + 1',
      version: 'version_id = 3',
      shopsBought: 'shops_bought = 7',
      registeredAt: `registered_at = registered_at - interval '1 day'`,
      expiresAt: 'expires_at = null',
      source: `source = 'app'`,
      signature: `signature = '别的签名'`,
      memberTitle: `member_title = '贵宾'`,
      verificationStatus: `verification_status = 'failed'`,
      payment: 'pay_enabled = not pay_enabled',
    }
    // Kept in other tables; the tests below ask for them.
    const elsewhere: Record<string, ChangeTopic> = {
      id: 'shop.created',
      branchIds: 'shop.changed',
      services: 'shop.service.changed',
      smsBalance: 'shop.sms.changed',
    }
    const topics: Record<string, ChangeTopic> = {
      ...{ agentId: 'shop.moved', status: 'shop.disabled', payment: 'shop.payment.changed' },
      ...{ version: 'shop.term.changed', shopsBought: 'shop.term.changed', expiresAt: 'shop.term.changed' },
    }
    for (const field of SHOP_FIELDS) {
      if (field in elsewhere) continue
      const statement = written[field]
      assert.ok(statement, `say how ${field} changes, and name it in migrations/again/told-shops.sql`)
      const one = await makeMerchant(office, wide.id)
      const all = await feed.told(() => run(`update merchants set ${statement} where id = $1`, one), theirs)
      const own = all.filter(({ shopId }) => shopId === one)
      const topic = topics[field] ?? 'shop.changed'
      const named = own.find(change => change.topic === topic)
      assert.ok(named, `${field} is told of by ${topic}`)
      if (topic === 'shop.changed') assert.ok((named.data.fields as string[]).includes(field), field)
    }
  })

  test('once what one transaction says of it twice, with all fields of both', async () => {
    const all = await told(() =>
      acting(office, cookie, async ctx => {
        await ctx.client.query(
          `update merchants set signature = '新签名', revision = revision + 1 where id = $1`,
          [shop],
        )
        const noted = { shopId: shop, agentId: agent.id, topic: 'shop.changed' } as const
        await noteShopChange(ctx, { ...noted, data: { fields: ['signature'] } })
        await noteShopChange(ctx, { ...noted, data: { fields: ['branchIds'] } })
      }),
    )
    assert.deepEqual(all, [
      { topic: 'shop.changed', shopId: shop, data: { fields: ['revision', 'signature', 'branchIds'] } },
    ])
  })

  test('its term and version', async () => {
    const all = await told(() =>
      run(
        `update merchants set expires_at = '2031-05-06T07:08:09.123Z', shops_bought = 4 where id = $1`,
        shop,
      ),
    )
    const data = { versionId: 12, shopsBought: 4, expiresAt: '2031-05-06T07:08:09.123Z' }
    assert.deepEqual(all, [{ topic: 'shop.term.changed', shopId: shop, data }])
    const [permanent] = await told(() => run('update merchants set expires_at = null where id = $1', shop))
    assert.equal(permanent?.data.expiresAt, null)
  })

  test('that it was disabled and enabled, by the operations that do it', async () => {
    const all = await told(async () => {
      await run(`update merchants set status = 'disabled' where id = $1`, shop)
      await run(`update merchants set status = 'normal' where id = $1`, shop)
    })
    assert.deepEqual(
      all.map(({ topic }) => topic),
      ['shop.disabled', 'shop.enabled'],
    )
  })

  test('its services: bought, more of them, gone', async () => {
    const { rows } = await run(
      'select id, code from services where parent_id is not null order by id limit 1',
    )
    const { id: serviceId, code } = rows[0]
    const all = await told(async () => {
      await run(
        'insert into merchant_services (agent_id, merchant_id, service_id, quantity) values ($1, $2, $3, 1)',
        ...[agent.id, shop, serviceId],
      )
      await run('update merchant_services set quantity = 3 where merchant_id = $1', shop)
      await run('update merchant_services set quantity = quantity where merchant_id = $1', shop)
      await run('delete from merchant_services where merchant_id = $1', shop)
    })
    const data = (quantity: number) => ({ serviceId, code, quantity, expiresAt: null })
    assert.deepEqual(
      all,
      [1, 3, 0].map(quantity => ({ topic: 'shop.service.changed', shopId: shop, data: data(quantity) })),
    )
  })

  test('its payment configuration, without what stands in it', async () => {
    const all = await told(() =>
      run(`update merchants set pay_enabled = true, payment_config = '\\x01' where id = $1`, shop),
    )
    const data = { methodId: null, enabled: true }
    assert.deepEqual(all, [{ topic: 'shop.payment.changed', shopId: shop, data }])
  })

  test('what moves its SMS credit, but for messages; that these have brought it below the limit, once', async () => {
    const move = (from: object, to: object, amount: number, kind = 'sms-send') => {
      const movement = { ...MOVEMENT, kind, from, to, amount, agentId: agent.id, document: `LOW${++moved}` }
      return run('select ledger_post($1::jsonb)', JSON.stringify([movement]))
    }
    const ofShop = { kind: 'merchant', id: shop }
    const vendor = { kind: 'vendor', book: 'sms-supplier' }
    const bought = await told(() => move(vendor, ofShop, 150, 'sms-gift'))
    assert.deepEqual(bought, [{ topic: 'shop.sms.changed', shopId: shop, data: { balance: 150 } }])
    const all = await told(async () => {
      await move(ofShop, vendor, 50)
      await move(ofShop, vendor, 1)
      await move(ofShop, vendor, 30)
    })
    assert.deepEqual(all, [{ topic: 'shop.sms.low', shopId: shop, data: { balance: 99, threshold: 100 } }])
    await run(
      `insert into office_settings (key, value, updated_by, updated_at) values ($1, '40', 1, now())`,
      SHOP_SMS_LOW.key,
    )
    assert.deepEqual(
      (await told(() => move(ofShop, vendor, 30))).map(({ data }) => data),
      [{ balance: 39, threshold: 40 }],
    )
    await run('delete from office_settings where key = $1', SHOP_SMS_LOW.key)
    assert.deepEqual(await told(() => move(vendor, ofShop, 9, 'sms-send-return')), [])
    assert.deepEqual(await told(() => move(ofShop, { kind: 'agent', id: agent.id }, 8, 'sms-recall')), [
      { topic: 'shop.sms.changed', shopId: shop, data: { balance: 40 } },
    ])
  })

  test('to each agency with shops of it, what a version is called and contains', async () => {
    await makeMerchant(office, other.id, { version_id: 3 })
    const { rows } = await run('select id from version_functions where enabled order by id limit 2')
    const [first, second] = rows.map(({ id }) => id)
    const all = await told(async () => {
      await run('update versions set function_ids = array[$1::int] where id = 12', first)
      await run(`update versions set name = '改名版' where id = 12`)
      await run(`update versions set position = 99, remark = '备注' where id = 12`)
      await run(`update version_functions set name = '改名功能' where id = $1`, first)
      await run(`update version_functions set name = '别处的功能' where id = $1`, second)
      await run('update version_functions set enabled = false where id = $1', first)
    })
    const changed = { topic: 'version.changed', shopId: null, data: { versionId: 12 } }
    assert.deepEqual(all, [changed, changed, changed, changed])
    const theirs = await office.login(other.loginName)
    const since = await feed.lastOf(theirs)
    await run(`update versions set name = '只在那里' where id = 3`)
    await sequence()
    assert.deepEqual(
      (await read(since, theirs)).changes.map(({ topic, data }) => [topic, data]),
      [['version.changed', { versionId: 3 }]],
    )
  })

  test('to its head that a branch came and went', async () => {
    const head = await makeMerchant(office, agent.id, { version_id: 3, shops_bought: 3 })
    const branches = { topic: 'shop.changed', shopId: head, data: { fields: ['branchIds'] } }
    let branch = 0
    const came = await told(async () => {
      branch = await makeMerchant(office, agent.id, { version_id: 3, store_kind: 'branch', head_id: head })
    })
    assert.deepEqual(came, [{ topic: 'shop.created', shopId: branch, data: { revision: 1 } }, branches])
    const went = await told(() =>
      run(`update merchants set head_id = null, store_kind = 'head' where id = $1`, branch),
    )
    assert.deepEqual(went, [
      { topic: 'shop.changed', shopId: branch, data: { fields: ['storeKind', 'headId'] } },
      branches,
    ])
  })

  test('to both agencies that it moved; its services go with it without a word', async () => {
    const { rows } = await run('select id from services where parent_id is not null order by id limit 1')
    await run(
      'insert into merchant_services (agent_id, merchant_id, service_id, quantity) values ($1, $2, $3, 1)',
      ...[agent.id, shop, rows[0].id],
    )
    const theirs = await office.login(other.loginName)
    await sequence()
    const before = await lastOf()
    await run('update merchants set agent_id = $2 where id = $1', shop, other.id)
    await run(`update merchants set address = '在新代理商' where id = $1`, shop)
    await sequence()
    const heard = async (as: string) =>
      (await read(before, as)).changes.map(({ topic, data }) => [topic, data])
    assert.deepEqual(await heard(cookie), [['shop.moved', { direction: 'out' }]])
    const since = [
      ['shop.moved', { direction: 'in' }],
      ['shop.changed', { fields: ['address'] }],
    ]
    assert.deepEqual(await heard(theirs), since)
    assert.deepEqual(await heard(staff), [['shop.moved', { direction: 'out' }], ...since])
  })

  test('what its agency is called and says on its home page', async () => {
    const all = await told(async () => {
      await run(`update agents set company_name = company_name || '（新）' where id = $1`, agent.id)
      await run('update agents set hotline = $2 where id = $1', agent.id, '400-000-0000')
      await run(
        `insert into shop_page_versions (agent_id, number, content, published_by, published_by_name, published_at)
         values ($1, 7, '{}', 1, '测试', now())`,
        agent.id,
      )
    })
    assert.deepEqual(all, [
      { topic: 'agent.changed', shopId: null, data: { what: 'profile' } },
      { topic: 'agent.changed', shopId: null, data: { what: 'homePage', number: 7 } },
    ])
  })

  test('what a verb tells in its own transaction, and not what was rolled back', async () => {
    const all = await told(async () => {
      const noted = { shopId: shop, agentId: agent.id } as const
      await acting(office, cookie, ctx =>
        noteShopChange(ctx, { ...noted, topic: 'approval.decided', data: DECIDED }),
      )
      await acting(office, cookie, ctx => noteShopChange(ctx, { ...noted, topic: 'shop.enabled' }))
      await acting(office, cookie, async ctx => {
        await noteShopChange(ctx, { ...noted, topic: 'feedback.replied', data: { id: 2 } })
        throw new Error('rolled back')
      }).catch(() => undefined)
    })
    assert.deepEqual(all, [
      { topic: 'approval.decided', shopId: shop, data: DECIDED },
      { topic: 'shop.enabled', shopId: shop, data: {} },
    ])
  })

  test('of many shops that one statement changes, each once', async () => {
    const shops = await makeMerchants(office, agent.id, 500, () => ({}))
    const all = await told(() => run(`update merchants set expires_at = null where id = any ($1)`, shops))
    assert.deepEqual(
      all.map(({ shopId }) => shopId),
      shops,
    )
  })

  test('nothing under a topic that is not declared', async () => {
    await sequence()
    const { rows } = await run('select distinct on (topic) topic from shop_changes')
    assert.ok(rows.length > 8)
    assert.deepEqual(
      rows.filter(({ topic }) => !TOPIC_KEYS.includes(topic)),
      [],
    )
  })

  test('what its topic says, and nothing else', async () => {
    await sequence()
    const { rows } = await run('select topic, data from shop_changes')
    for (const { topic, data } of rows)
      assert.deepEqual(z.strictObject(TOPIC_DATA[topic as ChangeTopic].shape.shape).parse(data), data, topic)
    for (const { shape, example } of Object.values(TOPIC_DATA))
      assert.deepEqual(z.strictObject(shape.shape).parse(example), example)
  })

  test('below the limit that the program itself reads', async () => {
    const { rows } = await run(`select prosrc from pg_proc where proname = 'sms_low_at'`)
    const plain = (text: string) => text.replace(/\s+/g, ' ').trim()
    assert.equal(plain(rows[0].prosrc), plain(settingInSql(SHOP_SMS_LOW)))
  })
})

const DECIDED = TOPIC_DATA['approval.decided'].example
let moved = 0
const MOVEMENT = {
  ...{ asset: 'sms', payMethod: 'gift', actorId: 1, actorName: '测试', description: '短信' },
}
