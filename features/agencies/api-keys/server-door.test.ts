// A key at the door: tokens that open nothing, addresses, the bucket, and the row that every call leaves.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import { OBJECT_KINDS } from '#features/overview/operation-log/rules.ts'
import { formatDay } from '#kit/time.ts'
import { type Client, type Office, openBeside, openOffice } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { keyForm, type MadeKey, makeKey } from '#test/make-api-keys.ts'
import { call, everyOperation, soon, type Walked } from '#test/walk.ts'
import { filledAt } from './server-door.ts'

let office: Office
let agent: MadeAgent
let cookie: string
let mine: Client
before(async () => {
  office = await openOffice()
  agent = await makeAgent(office, { tokens: 10_000 })
  cookie = await office.login(agent.loginName)
  mine = office.as(cookie)
})
after(() => office.stop())
// An agency has so many keys that work, and no more.
beforeEach(() =>
  office.owner.query(`update api_keys set ended_at = now(), ended_by = 'hand' where ended_at is null`),
)

const OPERATIONS = everyOperation()
const operation = (name: string) => OPERATIONS.find(one => one.name === name) as Walked
const asked = (caller: string | null, name: string, input: Record<string, unknown> = {}, headers = {}) =>
  call(office.app, caller, operation(name), input, { headers })
const codeOf = async (caller: string | null, name: string, input: Record<string, unknown> = {}) =>
  (await asked(caller, name, input)).code
const becomes = (key: MadeKey, code: string | undefined, name = 'merchants.list') =>
  soon(async () => (await codeOf(key.bearer, name)) === code)
const LIST = ['merchants.list']

describe('tokens that open nothing', () => {
  test('unknown, expired, ended and malformed ones are answered alike', async () => {
    const expired = await makeKey(office, cookie, LIST)
    await office.owner.query(`update api_keys set expires_at = now() - interval '1 second' where id = $1`, [
      expired.id,
    ])
    const ended = await makeKey(office, cookie, LIST)
    await mine.apiKeys.end({ id: ended.id })
    const bearers = [
      expired.bearer,
      ended.bearer,
      `Bearer pok_${'A'.repeat(43)}`,
      'Bearer',
      'Bearer x',
      'bearer  y z',
    ]
    const answers = []
    for (const bearer of bearers) {
      const sent = () => asked(null, 'merchants.list', {}, { authorization: bearer })
      assert.ok(await soon(async () => (await sent()).code === 'KEY_INVALID'), bearer)
      const { status, body, headers } = await sent()
      answers.push(JSON.stringify([status, body, headers['www-authenticate'], headers.ratelimit ?? null]))
    }
    assert.deepEqual([...new Set(answers)].length, 1)
    assert.match(answers[0] ?? '', /^\[401,.*invalid_token/)
  })

  test('its last day is the last', async () => {
    const key = await makeKey(office, cookie, LIST, { expiresOn: formatDay(new Date()) })
    assert.equal(await codeOf(key.bearer, 'merchants.list'), undefined)
    // Remembered or not: it ends to the moment.
    await office.owner.query(`update api_keys set expires_at = now() + interval '300 ms' where id = $1`, [
      key.id,
    ])
    assert.ok(await becomes(key, 'KEY_INVALID'))
  })
})

describe('addresses', () => {
  test('from elsewhere it is refused, told to its maker, and logged seldom; its bucket stays full', async () => {
    const key = await makeKey(office, cookie, LIST, { addresses: ['203.0.113.0/24', '2001:db8::1'] })
    const first = await asked(key.bearer, 'merchants.list')
    assert.deepEqual([first.status, first.code], [403, 'KEY_ADDRESS'])
    assert.equal(await codeOf(key.bearer, 'merchants.list'), 'KEY_ADDRESS')
    const { rows } = await office.owner.query(
      `select outcome, changes->0->>'after' as reason from operation_logs
         where objects @> array[$1] and outcome = 'refused'`,
      [`apiKey:${key.id}`],
    )
    assert.deepEqual(rows, [{ outcome: 'refused', reason: '此地址不在接口密钥的允许范围内' }])
    const [notice] = (await mine.notices.list({})).rows
    assert.equal(notice?.title, '接口密钥在陌生地址被使用')
    const uses = await office.owner.query('select calls::int, tokens from api_key_uses where key_id = $1', [
      key.id,
    ])
    assert.deepEqual(uses.rows, [{ calls: 0, tokens: 600 }])
    await mine.apiKeys.edit({ ...keyForm(LIST), id: key.id, name: '放开', addresses: ['127.0.0.0/8'] })
    assert.ok(await becomes(key, undefined))
  })
})

/** Nothing comes in before the moment that it was filled at. */
const standStill = (key: MadeKey, tokens: number) =>
  office.owner.query(
    `update api_key_uses set tokens = $2, filled_at = now() + interval '1 hour' where key_id = $1`,
    [key.id, tokens],
  )

describe('limits', () => {
  /** So many tokens, so many milliseconds ago, calls a minute: what is there now. */
  const FILLS: [tokens: number, ms: number, perMinute: number, now: number][] = [
    [0, 0, 60, 0],
    [0, 1, 60, 0.001],
    [0, 999, 60, 0.999],
    [0, 1_000, 60, 1],
    [0, 499, 120, 0.998],
    [0, 500, 120, 1],
    [0.5, 250, 120, 1],
    [0, 100, 600, 1],
    [59, 999, 60, 59.999],
    [59, 1_000, 60, 60],
    [59, 1_001, 60, 60],
    [60, 999, 60, 60],
    [5, -400, 60, 5],
  ]
  for (const [tokens, ms, perMinute, now] of FILLS)
    test(`${tokens} tokens and ${ms} ms at ${perMinute} a minute are ${now}`, async () => {
      const moment = new Date(1_764_000_000_000)
      const { rows } = await office.owner.query<{ filled: number; holds: boolean }>(
        `select round((${filledAt('$4::timestamptz')})::numeric, 9)::float8 as filled, ${filledAt('$4::timestamptz')} >= 1 as holds
         from (values ($1::float8, $3::timestamptz)) as bucket (tokens, filled_at)`,
        [tokens, perMinute, new Date(moment.getTime() - ms), moment],
      )
      assert.deepEqual(rows, [{ filled: now, holds: now >= 1 }])
    })

  test('one token lets one call in, and a thousandth less none', async () => {
    const key = await makeKey(office, cookie, LIST, { perMinute: 60 })
    const told = async (tokens: number) => {
      await standStill(key, tokens)
      const { status, headers } = await asked(key.bearer, 'merchants.list')
      return [status, headers.ratelimit, headers['retry-after']]
    }
    assert.deepEqual(await told(0.999), [429, '"default";r=0;t=1', '1'])
    assert.deepEqual(await told(1), [200, '"default";r=0;t=60', undefined])
    assert.deepEqual(await told(1.999), [200, '"default";r=0;t=60', undefined])
    assert.deepEqual(await told(2), [200, '"default";r=1;t=59', undefined])
  })

  test('a bucket for all instances: so many at once, then as they come in', async () => {
    const beside = await openBeside(office)
    try {
      const key = await makeKey(office, cookie, LIST, { perMinute: 60 })
      const list = operation('merchants.list')
      const answers = await Promise.all(
        Array.from({ length: 70 }, (_, i) => call(i % 2 ? beside.app : office.app, key.bearer, list)),
      )
      const taken = answers.filter(({ status }) => status === 200).length
      assert.ok(taken >= 60 && taken <= 65, `${taken} were answered`)
      const refused = answers.filter(({ status }) => status === 429)
      assert.equal(refused.length, 70 - taken)
      for (const { code, headers } of refused) {
        assert.equal(code, 'KEY_THROTTLED')
        assert.equal(headers['retry-after'], '1')
        assert.equal(headers.ratelimit, '"default";r=0;t=1')
        assert.equal(headers['ratelimit-policy'], '"default";q=60;w=60')
      }
      const logged = await office.owner.query('select 1 from operation_logs where objects @> array[$1]', [
        `apiKey:${key.id}`,
      ])
      // Its own making, and each call that was let in.
      assert.equal(logged.rowCount, taken + 1)
      await office.owner.query(
        `update api_key_uses set tokens = 0, filled_at = now() - interval '10 seconds' where key_id = $1`,
        [key.id],
      )
      const { headers } = await call(office.app, key.bearer, list)
      assert.match(String(headers.ratelimit), /^"default";r=(9|10);t=\d\d$/)
      await office.owner.query(
        `update api_key_uses set tokens = 5, filled_at = now() - interval '1 day' where key_id = $1`,
        [key.id],
      )
      const full = await call(office.app, key.bearer, list)
      assert.equal(full.headers.ratelimit, '"default";r=59;t=1')
    } finally {
      await beside.stop()
    }
  })

  test('files are refused alike, with the time to wait', async () => {
    const key = await makeKey(office, cookie, ['merchants.list', 'merchants.export'], { perMinute: 60 })
    await standStill(key, 0)
    const { status, headers } = await asked(key.bearer, 'merchants.list (file)')
    assert.deepEqual([status, headers['retry-after']], [429, '1'])
  })
})

describe('the log', () => {
  test('every call is there: what was read, changed and refused, in the history of the key', async () => {
    const shop = await makeMerchant(office, agent.id)
    const key = await makeKey(office, cookie, ['merchants.list', 'merchants.edit'], { name: '有历史' })
    await asked(key.bearer, 'merchants.list', { search: '不留在日志' })
    await asked(key.bearer, 'orders.list')
    await asked(key.bearer, 'merchants.setRemark', { id: shop, remark: '长'.repeat(51) })
    await asked(key.bearer, 'merchants.setRemark', { id: shop, remark: '好' })
    // What stands already is no change, and still a call.
    await asked(key.bearer, 'merchants.setRemark', { id: shop, remark: '好' })
    await asked(key.bearer, 'merchants.setRemark', { id: 'nonsense' })
    const { rows } = await mine.operationLog.history({ kind: 'apiKey', id: String(key.id) })
    assert.deepEqual(
      rows.map(({ title, outcome, subject, summary }) => [title, outcome, subject, summary]).reverse(),
      [
        ['新建接口密钥', 'done', rows.at(-1)?.subject, rows.at(-1)?.summary],
        ['接口读取', 'read', 'GET /api/merchants', ''],
        ['接口读取', 'refused', 'GET /api/orders', '原因：您没有操作权限!'],
        ['修改商户备注', 'refused', `PATCH /api/merchants/${shop}/remark`, '原因：备注不得超过50字'],
        ['修改商户备注', 'done', rows[2]?.subject, rows[2]?.summary],
        ['修改商户备注', 'done', rows[1]?.subject, rows[1]?.summary],
        ['修改商户备注', 'refused', 'PATCH /api/merchants/nonsense/remark', '原因：须为整数'],
      ],
    )
    assert.ok(rows.every(({ accountName }) => /^姓名/.test(accountName)))
    // Of a key that has called often the rows are found in another way.
    await office.owner.query('update api_key_uses set calls = 1001 where key_id = $1', [key.id])
    const busy = await mine.operationLog.history({ kind: 'apiKey', id: String(key.id) })
    assert.deepEqual(busy.rows, rows)
    assert.ok(OBJECT_KINDS.apiKey)
    const reads = await mine.operationLog.list({ outcome: 'read', objectKind: 'apiKey' })
    assert.ok(reads.total > 0)
  })

  test('a read whose row cannot be written is not answered', async () => {
    const key = await makeKey(office, cookie, LIST)
    await office.owner.query('revoke execute on function log_operation(jsonb) from partner_office_app')
    try {
      assert.equal((await asked(key.bearer, 'merchants.list')).status, 500)
    } finally {
      await office.owner.query('grant execute on function log_operation(jsonb) to partner_office_app')
    }
  })

  test('use shows in the list: when, from where, how often', async () => {
    const key = await makeKey(office, cookie, LIST)
    const row = async () => (await mine.apiKeys.list({ size: 100 })).rows.find(({ id }) => id === key.id)
    assert.deepEqual([(await row())?.lastUsedAt, (await row())?.calls], [null, 0])
    await asked(key.bearer, 'merchants.list')
    await asked(key.bearer, 'orders.list')
    const used = await row()
    assert.deepEqual([used?.lastIp, used?.calls], ['127.0.0.1', 2])
    assert.ok(Date.now() - Date.parse(used?.lastUsedAt ?? '') < 60_000)
  })
})
