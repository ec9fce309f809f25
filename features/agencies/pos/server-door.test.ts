// Everything that is answered at /pos, asked for by whoever may not, and by whoever may.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before, describe } from 'node:test'
import { contract, posContract } from '#app/joined.ts'
import { listOps } from '#kit/declare/op.ts'
import { type Office, openOffice, PASSWORD } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { type MadeKey, makeKey, withoutLimit } from '#test/make-api-keys.ts'
import { giveSms } from '#test/make-messages.ts'
import { quickHash } from '#test/quick-hash.ts'
import { type Answered, call, everyPosOperation, soon, type Walked } from '#test/walk.ts'
import { MARK, type PosAttempt, type PosScene } from '#test/walk-types.ts'
import { WALKS } from '#test/walks.ts'

const OPERATIONS = everyPosOperation()
/** What any key is answered, whatever its verbs. */
const isForAny = ({ permission }: Walked) => permission === 'session'
const VERBS = [...new Set(OPERATIONS.filter(one => !isForAny(one)).map(({ permission }) => permission))]
const ENTRIES: Record<string, PosAttempt> = Object.assign({}, ...WALKS.map(({ pos }) => pos))

let office: Office
let a: MadeAgent
let b: MadeAgent
let cookie: string
let scene: PosScene
let key: MadeKey
let foreign: MadeKey

before(async () => {
  office = await openOffice()
  a = await makeAgent(office, { sms: 100 })
  b = await makeAgent(office)
  cookie = await office.login(a.loginName)
  let accounts = 0
  const account = '18655550000'
  const id = await makeMerchant(office, a.id, {
    ...{ shop_name: MARK, account, password_hash: quickHash(PASSWORD), payment_method_id: 1 },
    payment_config: office.app.services.secrets.encrypt(JSON.stringify({ mch_id: MARK })),
  })
  await giveSms(office, { agentId: a.id, merchantId: id, pieces: 20 })
  scene = {
    office,
    agentId: a.id,
    shop: { id, account, revision: 1 },
    freeAccount: () => `1866666${String(++accounts).padStart(4, '0')}`,
  }
  key = await makeKey(office, cookie, VERBS)
  foreign = await makeKey(office, await office.login(b.loginName), VERBS)
  for (const one of [key, foreign]) await withoutLimit(office, one)
})
after(() => office.stop())

const ask = (caller: string | null, operation: Walked, input = {}, headers = {}): Promise<Answered> =>
  call(office.app, caller, operation, input, { prefix: '/pos', headers })

function entryOf({ name }: Walked): PosAttempt {
  const entry = ENTRIES[name]
  assert.ok(entry, `add ${name} to \`pos\` of the walk.ts of its feature`)
  return entry
}

/** Every operation answers this caller so, whatever it asks for. */
async function everyAnswer(
  caller: string | null,
  status: number,
  code: string,
  operations = OPERATIONS,
): Promise<void> {
  for (const operation of operations)
    for (const input of [{}, await entryOf(operation).as(scene)]) {
      const answer = await ask(caller, operation, input)
      assert.deepEqual([answer.status, answer.code], [status, code], operation.name)
    }
}

describe('whoever has no key for it', () => {
  test('comes with nothing, or with a session: a key is asked for', async () => {
    for (const caller of [null, cookie]) await everyAnswer(caller, 401, 'KEY_REQUIRED')
    const { headers } = await ask(null, OPERATIONS[0] as Walked)
    assert.match(String(headers['www-authenticate']), /^Bearer/)
  })

  test('comes with a key and a session', async () => {
    for (const operation of OPERATIONS)
      assert.equal((await ask(key.bearer, operation, {}, { cookie })).code, 'KEY_MIXED', operation.name)
  })

  test('comes with one that is unknown, expired or revoked', async () => {
    await everyAnswer(`Bearer pok_${'A'.repeat(43)}`, 401, 'KEY_INVALID')
    const expired = await makeKey(office, cookie, VERBS)
    await office.owner.query(`update api_keys set expires_at = now() - interval '1 second' where id = $1`, [
      expired.id,
    ])
    const revoked = await makeKey(office, cookie, VERBS)
    await office.as(cookie).apiKeys.end({ id: revoked.id })
    for (const { bearer } of [expired, revoked]) {
      const isOver = async () => (await ask(bearer, OPERATIONS[0] as Walked)).code === 'KEY_INVALID'
      assert.ok(await soon(isOver))
      await everyAnswer(bearer, 401, 'KEY_INVALID')
    }
  })

  test('comes from an address that the key does not name', async () => {
    const elsewhere = await makeKey(office, cookie, VERBS, { addresses: ['203.0.113.1'] })
    await everyAnswer(elsewhere.bearer, 403, 'KEY_ADDRESS')
  })

  test('comes with all verbs but the one', async () => {
    for (const verb of VERBS) {
      const others = VERBS.filter(one => one !== verb)
      const narrower = await makeKey(office, cookie, others.length > 0 ? others : ['merchants.list'])
      await withoutLimit(office, narrower)
      for (const operation of OPERATIONS.filter(({ permission }) => permission === verb)) {
        const answer = await ask(narrower.bearer, operation, await entryOf(operation).as(scene))
        assert.deepEqual([answer.status, answer.code], [403, 'FORBIDDEN'], operation.name)
      }
      await office.as(cookie).apiKeys.end({ id: narrower.id })
    }
  })

  test('has a key whose maker may no longer', async () => {
    const { loginName, accountId } = await makeAccount(office, a.id, { nodeIds: [] })
    const nodes = await office.owner.query<{ ids: number[] }>(
      'select array_agg(id) as ids from permission_nodes where key = any ($1)',
      [[...VERBS, 'apiKeys.list', 'apiKeys.edit']],
    )
    const setNodes = (ids: readonly number[]) =>
      office.owner.query(
        'update roles set node_ids = $2 where id = (select role_id from accounts where id = $1)',
        [accountId, ids],
      )
    await setNodes(nodes.rows[0]?.ids ?? [])
    const theirs = await makeKey(office, await office.login(loginName), VERBS)
    await setNodes([])
    await withoutLimit(office, theirs)
    const asked = OPERATIONS.filter(one => !isForAny(one))
    assert.ok(await soon(async () => (await ask(theirs.bearer, asked[0] as Walked)).code === 'FORBIDDEN'))
    await everyAnswer(theirs.bearer, 403, 'FORBIDDEN', asked)
  })
})

const KEPT = ['merchants', 'ledger_accounts', 'outbox_messages', 'merchant_services'] as const
const ofA = async () =>
  Promise.all(
    KEPT.map(async table => {
      const { rows } = await office.owner.query(
        `select t::text as row from ${table} t where agent_id = $1 order by 1`,
        [a.id],
      )
      return rows
    }),
  )

describe('every operation', () => {
  for (const operation of OPERATIONS) {
    test(`${operation.name} neither shows nor changes the rows of another agency`, async () => {
      const { as, expect } = entryOf(operation)
      const input = await as(scene)
      const kept = await ofA()
      const answer = await ask(foreign.bearer, operation, input)
      if (expect === 'own') {
        assert.equal(answer.status, 200, `${answer.code} ${answer.message}`)
        assert.ok(!answer.bytes.toString().includes(MARK))
      } else assert.ok(expect.includes(answer.code ?? ''), `${answer.status} ${answer.code}`)
      assert.deepEqual(await ofA(), kept)
    })

    test(`${operation.name} answers whom it is for`, async () => {
      const { shop } = scene
      const { rows } = await office.owner.query('select revision from merchants where id = $1', [shop.id])
      const now = { ...scene, shop: { ...shop, revision: rows[0].revision } }
      const answer = await ask(key.bearer, operation, await entryOf(operation).as(now))
      assert.equal(answer.status, 200, `${answer.code} ${answer.message}`)
    })

    if (operation.idempotent)
      test(`${operation.name} asks for a key of the act`, async () => {
        const input = await entryOf(operation).as(scene)
        for (const [sent, code] of [
          ['', 'KEY_MISSING'],
          ['too short', 'KEY_MALFORMED'],
        ] as const) {
          const answer = await ask(key.bearer, operation, input, { 'idempotency-key': sent })
          assert.deepEqual([answer.status, answer.code], [400, code])
          assert.ok(answer.message?.includes('Idempotency-Key'))
        }
      })
  }

  test('refuses what it does not know, wherever that stands, by its name', async () => {
    const send = async ({ method, path }: Walked, sent: { query?: object; payload?: object }) => {
      const url = `/pos${path.replace(/\{\w+\}/g, '1')}`
      const headers = { authorization: key.bearer, 'idempotency-key': randomUUID() }
      const answer = await office.app.http.inject({ method: method as 'GET', url, headers, ...sent } as never)
      return [answer.statusCode, answer.json().code, JSON.stringify(answer.json().data?.issues)] as const
    }
    for (const operation of OPERATIONS) {
      const isRead = operation.method === 'GET'
      const [status, code, issues] = await send(operation, {
        [isRead ? 'query' : 'payload']: { bySMS: true },
      })
      assert.deepEqual([status, code], [422, 'INPUT_INVALID'], operation.name)
      assert.match(issues, /bySMS: 没有名为 bySMS 的项/, operation.name)
      if (isRead) continue
      assert.match(
        (await send(operation, { query: { size: '1' }, payload: {} }))[2],
        /query\.size: 没有名为/,
        operation.name,
      )
      if (operation.path.includes('{id}'))
        assert.match((await send(operation, { payload: { id: 2 } }))[2], /body\.id: 没有名为/, operation.name)
    }
  })

  test('says what is wrong in Chinese, and its refusals have one shape', async () => {
    const input = { id: scene.shop.id, kind: 'else', content: 5, note: null, bySms: 'x' }
    const operation = OPERATIONS.find(({ name }) => name === 'approvals.submitRequest') as Walked
    const { body } = await ask(key.bearer, operation, input)
    assert.deepEqual(body, {
      code: 'INPUT_INVALID',
      message: '提交的内容与接口描述不符，见 data.field 和 data.issues',
      data: {
        field: 'kind',
        issues: [
          'kind: 须为 signature、shopName、memberTitle 之一',
          'content: 须为文本',
          'note: 须为文本',
          'bySms: 须为 true 或 false',
        ],
      },
    })
  })

  test('takes neither an empty body where it needs one, nor a text', async () => {
    const headers = { authorization: key.bearer, 'content-type': 'application/json' }
    const answer = await office.app.http.inject({ method: 'POST', url: '/pos/v1/sign-ins', headers })
    assert.deepEqual([answer.statusCode, answer.json().code], [400, 'BODY_BROKEN'])
    const asText = { ...headers, 'content-type': 'text/plain' }
    const text = { method: 'POST', url: '/pos/v1/sign-ins', headers: asText, payload: '{}' } as const
    const typed = await office.app.http.inject(text)
    assert.deepEqual([typed.statusCode, typed.json().code], [415, 'BODY_TYPE'])
  })

  test('is one of the two doors alone', async () => {
    for (const operation of OPERATIONS) {
      const { status } = await call(office.app, key.bearer, operation)
      assert.equal(status, 404, operation.name)
    }
    for (const { name, meta } of listOps(contract)) assert.notEqual(meta.forKeys, 'only', name)
    const answer = await office.app.http.inject({
      url: '/pos/merchants',
      headers: { authorization: key.bearer },
    })
    assert.equal(answer.statusCode, 404)
  })

  test('names a permission of the tree, its own route and what it is for', () => {
    const routes = OPERATIONS.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)
    assert.equal(new Set(routes).size, routes.length)
    for (const { name, changes, log, ephemeral, idempotent } of OPERATIONS) {
      if (changes && !ephemeral) assert.ok(log, `${name} has no log title`)
      if (!changes) assert.ok(!idempotent, name)
    }
  })
})

test('/pos/openapi.json says of every operation what it asks for, and of none of the office', async () => {
  type Schema = { additionalProperties?: boolean; properties?: { code?: { enum: string[] } } }
  type Content = { content?: { 'application/json': { schema: Schema } } }
  type Described = {
    security: object[]
    'x-permission'?: string
    parameters?: { name: string }[]
    requestBody?: Content
    responses: Record<string, Content>
  }
  const answer = await office.app.http.inject('/pos/openapi.json')
  const { paths, components, servers } = answer.json() as {
    paths: Record<string, Record<string, Described>>
    components: { securitySchemes: object }
    servers: { url: string }[]
  }
  assert.deepEqual(servers, [{ url: '/pos' }])
  assert.deepEqual(Object.keys(components.securitySchemes), ['apiKey'])
  assert.deepEqual(new Set(Object.keys(paths)), new Set(listOps(posContract).map(({ path }) => path)))
  for (const { name, path, method, permission, idempotent, changes, whileSuspended } of OPERATIONS) {
    const described = paths[path]?.[method.toLowerCase()]
    assert.deepEqual(described?.security, [{ apiKey: [] }], name)
    assert.equal(described?.['x-permission'], permission === 'session' ? undefined : permission, name)
    const sent = described?.parameters?.some(one => one.name === 'Idempotency-Key') ?? false
    assert.equal(sent, idempotent, name)
    const body = described?.requestBody?.content?.['application/json'].schema
    if (body) assert.equal(body.additionalProperties, false, name)
    const codes = Object.entries(described?.responses ?? {}).flatMap(
      ([, answer]) => answer.content?.['application/json'].schema.properties?.code?.enum ?? [],
    )
    for (const code of ['KEY_MISSING', 'KEY_MALFORMED', 'KEY_REUSED'])
      assert.equal(codes.includes(code), idempotent, `${name} ${code}`)
    assert.equal(codes.includes('STALE'), name === 'pos.setContact', name)
    assert.equal(codes.includes('AGENT_SUSPENDED'), changes && !whileSuspended, name)
    for (const code of ['BODY_BROKEN', 'BODY_TYPE', 'BODY_TOO_LARGE'])
      assert.equal(codes.includes(code), changes, `${name} ${code}`)
    for (const code of ['ADDRESS_BROKEN', 'INTERNAL', 'KEY_THROTTLED'])
      assert.ok(codes.includes(code), `${name} ${code}`)
    const answer = await ask(key.bearer, OPERATIONS.find(one => one.name === name) as Walked, {
      ...(changes ? {} : await entryOf({ name } as Walked).as(scene)),
    })
    const isTagged = described?.parameters?.some(one => one.name === 'if-none-match') ?? false
    assert.equal(answer.headers.etag !== undefined, isTagged && answer.status === 200, name)
    assert.equal('304' in (described?.responses ?? {}), isTagged, name)
  }
})

test('/metrics tells its operations apart by their paths, and what is invented not at all', async () => {
  await ask(key.bearer, OPERATIONS.find(({ name }) => name === 'pos.shop') as Walked, { id: scene.shop.id })
  for (let i = 0; i < 3; i++) await office.app.http.inject(`/pos/v1/nothing-${i}`)
  const { body } = await office.app.http.inject('/metrics')
  assert.match(body, /path="\/pos\/v1\/shops\/\{id\}",status="200"/)
  assert.doesNotMatch(body, /nothing-/)
})

test('the dialog of keys offers these verbs as a branch of their own, and says what each does', async () => {
  const { nodes } = await office.as(cookie).apiKeys.tree()
  const branch = nodes.find(({ key: named }) => named === 'pos')
  const verbs = nodes.filter(({ parentId }) => parentId === branch?.id)
  assert.equal(branch?.name, '收银系统接口')
  for (const verb of VERBS) assert.ok(verbs.find(one => one.key === verb)?.says, verb)
  const { menu } = await office.as(cookie).access.current()
  assert.ok(!menu.some(entry => entry.key === 'pos'))
})
