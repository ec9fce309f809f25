// Keys of programs: what they may do and no more, how they change and how they end.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import { addDays, formatDay } from '#kit/time.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { sampled } from '#test/lane.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { keyForm, type MadeKey, makeKey, nodeId } from '#test/make-api-keys.ts'
import { call, everyOperation, soon, type Walked } from '#test/walk.ts'
import { warnOfEnds } from './jobs.ts'

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

/** A colleague who may do this and make keys. */
async function colleague(verbs: readonly string[], dataScope: 'all' | 'own' = 'all') {
  const nodeIds = [...verbs, 'apiKeys.list', 'apiKeys.edit'].map(nodeId)
  const made = await makeAccount(office, agent.id, { nodeIds, dataScope })
  return { ...made, cookie: await office.login(made.loginName) }
}

describe('a key', () => {
  test('reads what its verb names, without a session and without the header of our own page', async () => {
    const shop = await makeMerchant(office, agent.id, { shop_name: '程序看到的店' })
    const key = await makeKey(office, cookie, LIST)
    const { rows } = await office.as(key.bearer).merchants.list({ search: '程序看到' })
    assert.deepEqual(
      rows.map(({ id }) => id),
      [shop],
    )
    assert.equal(await codeOf(key.bearer, 'orders.list'), 'FORBIDDEN')
    assert.equal((await office.as(key.bearer).versions.list()).rows.length > 0, true)
  })

  test('is told with a call that it can make, whichever verbs it has, at the door of these', async () => {
    const operator = await office.login((await makeAgent(office, { operator: true })).loginName)
    const { nodes } = await office.as(operator).apiKeys.tree()
    const verbs = nodes.filter(({ says }) => says !== '')
    assert.ok(verbs.length > 100)
    for (const { key } of [...verbs.filter(one => one.key.startsWith('pos.')), ...sampled(verbs, 20)]) {
      const { id, token, firstCall } = await office.as(operator).apiKeys.add(keyForm([key]))
      assert.match(firstCall, key.startsWith('pos.') ? /^\/pos\/v1\// : /^\/api\//)
      const headers = { authorization: `Bearer ${token}` }
      const answer = await office.app.http.inject({ url: firstCall, headers })
      assert.equal(answer.statusCode, 200, `${key}: ${firstCall} ${answer.body.slice(0, 200)}`)
      const rotated = await office.as(operator).apiKeys.rotate({ id, overlapHours: 0 })
      assert.equal(rotated.firstCall, firstCall)
      await office.as(operator).apiKeys.end({ id })
    }
  })

  test('is told once, and kept as a hash alone', async () => {
    const key = await makeKey(office, cookie, LIST)
    assert.match(key.token, /^pok_[\w-]{43}$/)
    const { rows } = await office.owner.query('select k::text as row from api_keys k where id = $1', [key.id])
    assert.ok(!rows[0].row.includes(key.token))
    const everywhere = await office.owner.query(
      `select l.changes::text || l.subject as row from operation_logs l`,
    )
    assert.ok(!everywhere.rows.some(({ row }) => row.includes(key.token)))
    const listed = await mine.apiKeys.list({ search: key.token.slice(-4) })
    assert.ok(!JSON.stringify(listed).includes(key.token))
  })

  test('makes a change once for one idempotency key, logged in its own name', async () => {
    const key = await makeKey(office, cookie, ['merchants.edit'], { name: '改备注的程序' })
    const id = await makeMerchant(office, agent.id)
    await office.as(key.bearer).merchants.setRemark({ id, remark: '由程序写' })
    const { rows } = await office.owner.query(
      `select account_id::int, account_name, objects, outcome from operation_logs where merchant_id = $1 order by id desc`,
      [id],
    )
    assert.deepEqual(rows, [
      {
        account_id: agent.accountId,
        account_name: '姓名（密钥：改备注的程序）',
        objects: [`merchant:${id}`, `apiKey:${key.id}`],
        outcome: 'done',
      },
    ])
    const bought = await makeKey(office, cookie, ['sms.buy'])
    const buy = operation('sms.buy')
    assert.ok(buy.idempotent)
    const sent = { merchantId: id, packageId: 1, totalCents: 2_000 }
    const twice = { key: 'one-key-for-both-calls' }
    const first = await call(office.app, bought.bearer, buy, sent, twice)
    const again = await call(office.app, bought.bearer, buy, sent, twice)
    assert.deepEqual([again.status, again.body], [first.status, first.body])
    const without = await call(office.app, bought.bearer, buy, sent, { headers: { 'idempotency-key': '' } })
    assert.equal(without.code, 'KEY_MISSING')
  })

  test('takes files along that its verbs name, and is in their log row', async () => {
    const key = await makeKey(office, cookie, ['merchants.list', 'merchants.export'])
    const file = await asked(key.bearer, 'merchants.list (file)')
    assert.equal(file.status, 200)
    const without = await makeKey(office, cookie, LIST)
    assert.equal(await codeOf(without.bearer, 'merchants.list (file)'), 'FORBIDDEN')
    const { rows } = await office.owner.query(
      `select outcome from operation_logs where objects @> array[$1] order by id`,
      [`apiKey:${key.id}`],
    )
    assert.deepEqual(
      rows.map(({ outcome }) => outcome),
      ['done', 'done'],
    )
  })

  test('opens no socket, no session operation, and nothing that asks for a factor', async () => {
    const key = await makeKey(office, cookie, ['merchants.list', 'team.roles'])
    for (const name of [
      'access.current',
      'signIn.sessions',
      'signIn.changePassword',
      'factors.standing',
      'apiKeys.list',
    ])
      assert.equal(await codeOf(key.bearer, name), 'KEY_CLOSED', name)
    assert.equal(
      await codeOf(key.bearer, 'signIn.login', { loginName: agent.loginName, password: 'x' }),
      'KEY_CLOSED',
    )
    assert.equal(await codeOf(key.bearer, 'team.roles'), undefined)
    assert.equal(await codeOf(key.bearer, 'team.addRole'), 'KEY_STEP_UP')
    const upgraded = await office.app.http.inject({
      url: '/realtime/?EIO=4&transport=websocket',
      headers: { authorization: key.bearer },
    })
    assert.notEqual(upgraded.statusCode, 101)
    assert.notEqual(upgraded.statusCode, 200)
  })

  test('is refused beside a session, which is not used either', async () => {
    const key = await makeKey(office, cookie, LIST)
    const both = await asked(key.bearer, 'merchants.list', {}, { cookie })
    assert.deepEqual([both.status, both.code], [400, 'KEY_MIXED'])
    const wrong = await asked('Bearer nonsense', 'merchants.list', {}, { cookie })
    assert.equal(wrong.code, 'KEY_MIXED')
    // Another scheme, as a proxy's own sign-in, is none of ours.
    const proxied = await asked(cookie, 'merchants.list', {}, { authorization: 'Basic YTpi' })
    assert.equal(proxied.status, 200)
  })
})

describe('what may be given', () => {
  test('nobody gives a key what they do not hold', async () => {
    const { cookie: theirs } = await colleague(['merchants.list'])
    await makeKey(office, theirs, LIST)
    assert.equal(await refusalOf(makeKey(office, theirs, ['orders.list'])), 'VERBS_BEYOND')
    assert.equal(await refusalOf(makeKey(office, cookie, ['team.grant'])), 'VERBS_CLOSED')
    assert.equal(await refusalOf(makeKey(office, cookie, ['aftersales.extend'])), 'VERBS_BEYOND')
    const { nodes } = await office.as(theirs).apiKeys.tree()
    assert.deepEqual(
      nodes.filter(({ path }) => path !== '').map(({ key }) => key),
      ['merchants.list'],
    )
  })

  test('the tree names what programs can do, and nothing of keys, sessions or factors', async () => {
    const { nodes } = await mine.apiKeys.tree()
    const rights = nodes.filter(({ path }) => path !== '')
    assert.ok(rights.length > 30)
    for (const { key, says } of rights) {
      assert.doesNotMatch(key, /^(apiKeys|viewAs|factors|team\.(edit|end|grant|secure))/)
      assert.match(says, /^(读取数据|下载文件|可以)/, key)
    }
    assert.match(nodes.find(({ key }) => key === 'merchants.edit')?.says ?? '', /^可以.*编辑/)
  })

  const FORMS: [string, object, string][] = [
    ['no name', { name: ' ' }, 'KEY_NAME_REQUIRED'],
    ['a long name', { name: '长'.repeat(21) }, 'KEY_NAME_TOO_LONG'],
    ['a past day', { expiresOn: addDays(formatDay(new Date()), -1) }, 'EXPIRY_PAST'],
    ['a far day', { expiresOn: addDays(formatDay(new Date()), 367) }, 'EXPIRY_TOO_LATE'],
    ['no verbs', { nodeIds: [] }, 'VERBS_REQUIRED'],
    ['an address that is none', { addresses: ['example.com'] }, 'ADDRESS_FORMAT'],
    ['all addresses as a network', { addresses: ['0.0.0.0/0'] }, 'ADDRESS_FORMAT'],
    ['another limit', { perMinute: 7 }, 'RATE_UNKNOWN'],
  ]
  for (const [name, more, code] of FORMS)
    test(`${name}: ${code}`, async () => {
      assert.equal(await refusalOf(mine.apiKeys.add(keyForm(LIST, more))), code)
    })

  test('two keys that work do not share a name; an ended one leaves its name free', async () => {
    const { id } = await makeKey(office, cookie, LIST, { name: '同名' })
    assert.equal(await refusalOf(makeKey(office, cookie, LIST, { name: '同名' })), 'KEY_NAME_TAKEN')
    await mine.apiKeys.end({ id })
    await makeKey(office, cookie, LIST, { name: '同名' })
  })

  test('an agency has so many keys and no more, however many ask at once', async () => {
    const other = await makeAgent(office)
    const theirs = await office.login(other.loginName)
    const asking = Array.from({ length: 23 }, () => refusalOf(makeKey(office, theirs, LIST)))
    const answers = await Promise.all(asking)
    assert.equal(answers.filter(answer => answer === 'accepted').length, 20)
    assert.equal(answers.filter(answer => answer === 'KEYS_FULL').length, 3)
  })
})

describe('a key never does more than its maker may now', () => {
  test('a right that the maker loses, and the right to make keys', async () => {
    const { accountId, cookie: theirs } = await colleague(['merchants.list', 'orders.list'])
    const key = await makeKey(office, theirs, ['merchants.list', 'orders.list'])
    const set = (verbs: string[]) =>
      office.owner.query(
        'update roles set node_ids = $2 where id = (select role_id from accounts where id = $1)',
        [accountId, verbs.map(nodeId)],
      )
    assert.equal(await codeOf(key.bearer, 'orders.list'), undefined)
    await set(['merchants.list', 'apiKeys.list', 'apiKeys.edit'])
    assert.ok(await becomes(key, 'FORBIDDEN', 'orders.list'))
    assert.equal(await codeOf(key.bearer, 'merchants.list'), undefined)
    assert.deepEqual((await office.as(theirs).apiKeys.details({ id: key.id })).lost, ['版本订单'])
    await set(['merchants.list'])
    assert.ok(await becomes(key, 'FORBIDDEN'))
  })

  test('the maker is disabled: the key is over, and stays so', async () => {
    const { accountId, cookie: theirs } = await colleague(LIST)
    const key = await makeKey(office, theirs, LIST)
    await mine.team.switchPerson({ id: accountId, enabled: false, successorId: 0 })
    assert.ok(await becomes(key, 'KEY_INVALID'))
    await mine.team.switchPerson({ id: accountId, enabled: true })
    assert.equal(await codeOf(key.bearer, 'merchants.list'), 'KEY_INVALID')
    const { rows } = await mine.apiKeys.list({ state: 'orphaned' })
    assert.deepEqual(
      rows.map(({ id }) => id),
      [key.id],
    )
  })

  test('the maker is deleted, and the agency suspended', async () => {
    const { accountId, cookie: theirs } = await colleague(LIST)
    const key = await makeKey(office, theirs, LIST)
    await mine.team.deletePerson({ id: accountId, successorId: 0 })
    assert.ok(await becomes(key, 'KEY_INVALID'))
    const other = await makeAgent(office)
    const suspended = await makeKey(office, await office.login(other.loginName), LIST)
    assert.equal(await codeOf(suspended.bearer, 'merchants.list'), undefined)
    await office.owner.query(`update agents set status = 'closed' where id = $1`, [other.id])
    assert.ok(await becomes(suspended, 'KEY_INVALID'))
    await office.owner.query(`update agents set status = 'active' where id = $1`, [other.id])
    assert.equal(await codeOf(suspended.bearer, 'merchants.list'), 'KEY_INVALID')
  })

  test('who must change the password, or set up a factor, has keys that wait', async () => {
    const { accountId, cookie: theirs } = await colleague(LIST)
    const key = await makeKey(office, theirs, LIST)
    const must = (yes: boolean) =>
      office.owner.query('update accounts set must_change_password = $2 where id = $1', [accountId, yes])
    await must(true)
    assert.ok(await becomes(key, 'KEY_HELD'))
    await must(false)
    assert.ok(await becomes(key, undefined))
    await office.owner.query(
      `insert into factor_rules (agent_id, kind, since, grace_days) values ($1, 'ownStaff', now() - interval '9 days', 0)`,
      [agent.id],
    )
    await office.owner.query(`update accounts set created_at = now() - interval '9 days' where id = $1`, [
      accountId,
    ])
    await office.owner.query('notify access_changed')
    assert.ok(await becomes(key, 'KEY_HELD'))
    await office.owner.query('delete from factor_rules')
    assert.ok(await becomes(key, undefined))
  })

  test('who sees the own shops alone has keys that see no more', async () => {
    const { accountId, cookie: theirs } = await colleague(['merchants.list', 'merchants.details'], 'own')
    const own = await makeMerchant(office, agent.id, { manager_id: accountId })
    const others = await makeMerchant(office, agent.id)
    const key = await makeKey(office, theirs, ['merchants.list', 'merchants.details'])
    const { rows } = await office.as(key.bearer).merchants.list({ size: 100 })
    assert.deepEqual(
      rows.map(({ id }) => id),
      [own],
    )
    assert.equal(await codeOf(key.bearer, 'merchants.details', { id: others }), 'NOT_FOUND')
  })
})

describe('rotating', () => {
  test('both tokens work for a while; the one before is ended by hand or by time', async () => {
    const key = await makeKey(office, cookie, LIST)
    const next = await mine.apiKeys.rotate({ id: key.id, overlapHours: 24 })
    const fresh = { ...key, token: next.token, bearer: `Bearer ${next.token}` }
    assert.equal(await codeOf(key.bearer, 'merchants.list'), undefined)
    assert.equal(await codeOf(fresh.bearer, 'merchants.list'), undefined)
    const row = async () => (await mine.apiKeys.list({ size: 100 })).rows.find(({ id }) => id === key.id)
    assert.ok((await row())?.previousUntil)
    assert.ok((await row())?.previousUsedAt, 'it shows that something still uses the old token')
    await mine.apiKeys.endPrevious({ id: key.id })
    assert.ok(await becomes(key, 'KEY_INVALID'))
    assert.equal(await codeOf(fresh.bearer, 'merchants.list'), undefined)
    assert.equal(await refusalOf(mine.apiKeys.endPrevious({ id: key.id })), 'NO_PREVIOUS')
    const third = await mine.apiKeys.rotate({ id: key.id, overlapHours: 1 })
    await office.owner.query(
      `update api_keys set previous_until = now() - interval '1 second' where id = $1`,
      [key.id],
    )
    assert.ok(await becomes(fresh, 'KEY_INVALID'))
    assert.equal(await codeOf(`Bearer ${third.token}`, 'merchants.list'), undefined)
    const last = await mine.apiKeys.rotate({ id: key.id, overlapHours: 0 })
    assert.ok(await becomes({ ...key, bearer: `Bearer ${third.token}` }, 'KEY_INVALID'))
    assert.equal(await codeOf(`Bearer ${last.token}`, 'merchants.list'), undefined)
    assert.equal(await refusalOf(mine.apiKeys.rotate({ id: key.id, overlapHours: 5 })), 'OVERLAP_UNKNOWN')
  })
})

describe('whose keys', () => {
  test('its maker changes it, an owner sees all and may end each; colleagues see their own alone', async () => {
    const { cookie: theirs } = await colleague(LIST)
    const key = await makeKey(office, theirs, LIST)
    const form = { ...keyForm(LIST), id: key.id }
    assert.equal(await refusalOf(mine.apiKeys.edit(form)), 'KEY_OTHERS')
    assert.equal(await refusalOf(mine.apiKeys.rotate({ id: key.id, overlapHours: 0 })), 'KEY_OTHERS')
    const third = await colleague(LIST)
    assert.deepEqual((await office.as(third.cookie).apiKeys.list({})).rows, [])
    assert.equal(await refusalOf(office.as(third.cookie).apiKeys.end({ id: key.id })), 'NOT_FOUND')
    await office.as(theirs).apiKeys.edit(form)
    await mine.apiKeys.end({ id: key.id })
    assert.ok(await becomes(key, 'KEY_INVALID'))
    const [notice] = (await office.as(theirs).notices.list({})).rows
    assert.equal(notice?.title, '接口密钥已被撤销')
    assert.equal(await refusalOf(office.as(theirs).apiKeys.edit(form)), 'KEY_OVER')
  })
})

test('its maker is told a week and a day before it ends, once each', async () => {
  const { accountId, cookie: theirs } = await colleague(LIST)
  const key = await makeKey(office, theirs, LIST, { name: '快到期' })
  const told = async () => {
    await warnOfEnds(office.app.services)
    const { rows } = await office.as(theirs).notices.list({})
    return rows.filter(({ title }) => title === '接口密钥即将到期').length
  }
  const endsIn = (days: number) =>
    office.owner.query('update api_keys set expires_at = now() + make_interval(hours => $2) where id = $1', [
      key.id,
      days * 24,
    ])
  assert.equal(await told(), 0)
  await endsIn(8)
  assert.equal(await told(), 0)
  await endsIn(6)
  assert.deepEqual([await told(), await told()], [1, 1])
  await endsIn(1)
  assert.deepEqual([await told(), await told()], [2, 2])
  assert.ok(accountId)
})
