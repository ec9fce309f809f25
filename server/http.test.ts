import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { after, before, describe } from 'node:test'
import pg from 'pg'
import { contract } from '#app/joined.ts'
import { COMMON_REFUSALS, listOps } from '#kit/declare/op.ts'
import { type Office, openOffice, refusalOf } from '#test/app.ts'
import { waitsFor } from '#test/locks.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { until } from '#test/patience.ts'
import { contentSecurityPolicy } from './http.ts'

let office: Office
let agent: MadeAgent
let cookie: string
let shopId: number

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office, { tokens: 100 })
  cookie = await office.login(agent.loginName)
  shopId = await makeMerchant(office, agent.id, { remark: '旧' })
})
after(() => office.stop())

const OWN = { 'x-requested-with': 'partner-office' }
const get = (url: string, headers: Record<string, string> = {}) =>
  office.app.http.inject({ method: 'GET', url, headers: { cookie, ...headers } })
const setRemark = (headers: Record<string, string>, payload: object | string = { remark: '新' }) =>
  office.app.http.inject({
    method: 'PATCH',
    url: `/api/merchants/${shopId}/remark`,
    headers: { cookie, host: 'office.example', ...headers },
    payload,
  })
const remark = async () =>
  (await office.owner.query('select remark from merchants where id = $1', [shopId])).rows[0].remark

describe('a change', () => {
  test('without our header, or from another origin, is refused and changes nothing', async () => {
    for (const headers of [
      {},
      { 'x-requested-with': 'XMLHttpRequest' },
      { ...OWN, origin: 'http://evil.example' },
      { ...OWN, origin: 'http://office.example.evil.example' },
      { ...OWN, origin: 'https://office.example' },
      { ...OWN, origin: 'null' },
      { origin: 'http://office.example' },
      { ...OWN, 'sec-fetch-site': 'cross-site' },
    ]) {
      const answer = await setRemark(headers as Record<string, string>)
      assert.equal(answer.statusCode, 403, JSON.stringify(headers))
      assert.equal(answer.json().code, 'FORBIDDEN_ORIGIN')
    }
    assert.equal(await remark(), '旧')
  })

  test('from our own page is accepted', async () => {
    const answer = await setRemark({ ...OWN, origin: 'http://office.example' }, { remark: '自己' })
    assert.equal(answer.statusCode, 200)
    assert.equal(await remark(), '自己')
  })

  test('is matched against PUBLIC_URL where one is set, whatever host the request names', async () => {
    const other = await openOffice({ settings: { PUBLIC_URL: 'https://office.example', TRUST_PROXY: '1' } })
    try {
      const login = (origin: string) =>
        other.app.http.inject({
          method: 'POST',
          url: '/api/session',
          headers: { ...OWN, origin, host: 'evil.example' },
          payload: { loginName: 'a', password: 'b' },
        })
      assert.equal((await login('https://evil.example')).json().code, 'FORBIDDEN_ORIGIN')
      assert.equal((await login('https://office.example')).json().code, 'LOGIN_FAILED')
    } finally {
      await other.stop()
    }
  })

  test('in a form that a foreign page can send is refused', async () => {
    const answer = await setRemark({ ...OWN, 'content-type': 'text/plain' }, '{"remark":"x"}')
    assert.ok(answer.statusCode >= 400 && answer.statusCode < 500)
    assert.notEqual(await remark(), 'x')
  })
})

describe('a request that the server’s library does not understand', () => {
  const send = (url: string, method: 'POST' | 'PATCH' | 'DELETE', type: string, payload: string) =>
    office.app.http.inject({ method, url, headers: { cookie, ...OWN, 'content-type': type }, payload })
  const PLACES = ['/api/merchants/1', '/pos/v1/shops', '/api/large-files'] as const

  test('is refused in our words, whatever is wrong with it', async () => {
    const cases = [
      ['application/json', '{"remark":', 400, 'BODY_BROKEN', '请求内容不是有效的 JSON'],
      ['application/json', '{"__proto__":{}}', 400, 'BODY_BROKEN', '请求内容不是有效的 JSON'],
      [
        'application/x-www-form-urlencoded',
        'a=1',
        415,
        'BODY_TYPE',
        '请求内容须为 JSON（Content-Type: application/json）',
      ],
      ['application/json', `"${'x'.repeat(300_000)}"`, 413, 'BODY_TOO_LARGE', '请求内容过大'],
    ] as const
    for (const url of PLACES.slice(0, 2))
      for (const method of ['POST', 'PATCH', 'DELETE'] as const)
        for (const [type, payload, status, code, message] of cases) {
          const answer = await send(url, method, type, payload)
          assert.deepEqual(
            [answer.statusCode, answer.json()],
            [status, { code, message }],
            `${method} ${url} ${code}`,
          )
        }
  })

  test('says nothing of that library anywhere', async () => {
    for (const url of [...PLACES, '/api/%E0%A4%A', '/pos/v1/shops/%zz'])
      for (const type of ['application/json', 'text/xml', 'application/x-www-form-urlencoded', ''])
        for (const method of ['POST', 'PATCH', 'DELETE'] as const) {
          const { body, statusCode } = await send(url, method, type, '{"a":')
          assert.ok(statusCode >= 400 && statusCode < 500, `${method} ${url} ${type} ${statusCode}`)
          assert.doesNotMatch(body, /FST_|Unsupported|Body |Bad Request|"error"/, `${method} ${url} ${type}`)
        }
  })

  test('is understood where it names a type and has no body', async () => {
    const { body } = await send(`/api/merchants/${shopId}/remark`, 'PATCH', 'application/json', '')
    assert.equal(JSON.parse(body).code, 'INPUT_INVALID')
    const answer = await send('/pos/v1/requests/1/withdraw', 'POST', 'application/json', '')
    assert.equal(answer.json().code, 'KEY_REQUIRED')
  })
})

describe('every answer', () => {
  test('carries the security headers', async () => {
    for (const url of [
      '/api/session',
      '/healthz',
      '/api/nothing',
      '/nothing',
      '/api/merchants/export.xlsx',
    ]) {
      const { headers } = await get(url)
      const policy = String(headers['content-security-policy'])
      for (const part of [
        `default-src 'none'`,
        `script-src 'self'`,
        `frame-ancestors 'none'`,
        `base-uri 'none'`,
        `object-src 'none'`,
        `form-action 'self'`,
        `connect-src 'self'`,
      ])
        assert.ok(policy.split('; ').includes(part), `${url} lacks ${part}`)
      assert.ok(!/unsafe|\*|https?:/.test(policy), policy)
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['referrer-policy'], 'same-origin')
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
      assert.equal(headers['strict-transport-security'], undefined)
      assert.equal(headers['x-powered-by'], undefined)
    }
  })

  test('of an https office asks for TLS for a year', async () => {
    const sealed = await openOffice({ settings: { PUBLIC_URL: 'https://office.example', TRUST_PROXY: '1' } })
    try {
      const { headers } = await sealed.app.http.inject('/healthz')
      assert.equal(headers['strict-transport-security'], 'max-age=31536000; includeSubDomains')
    } finally {
      await sealed.stop()
    }
  })

  test('a trace comes back from nowhere', async () => {
    const secret = 'a cookie that a script may not read'
    for (const url of ['/', '/api/session', '/healthz']) {
      const answer = await office.app.http.inject({ method: 'TRACE', url, headers: { cookie: secret } })
      assert.ok(answer.statusCode >= 400 && !answer.body.includes(secret), `${url} ${answer.statusCode}`)
    }
  })

  test('pages alone reach the print program of their own machine, on its one port', () => {
    const part = (policy: string, name: string) => policy.split('; ').find(one => one.startsWith(name))
    const [page, other] = [contentSecurityPolicy('n', '', 17_531), contentSecurityPolicy('')]
    assert.equal(part(page, 'connect-src'), `connect-src 'self' ws://127.0.0.1:17531`)
    assert.equal(part(other, 'connect-src'), `connect-src 'self'`)
    // What is printed by the browser lies in a frame of the page's own making.
    assert.equal(part(page, 'frame-src'), 'frame-src blob:')
    assert.equal(part(other, 'frame-src'), undefined)
  })

  test('under /api is not kept by anyone', async () => {
    for (const url of [
      '/api/session',
      '/api/nothing',
      '/api/merchants/export.xlsx',
      '/api/wallet/changes.xlsx',
    ])
      assert.equal((await get(url)).headers['cache-control'], 'no-store', url)
  })
})

test('a proxy that is not believed is complained of once, a believed one never', async () => {
  for (const [trusted, complaints] of [
    ['0', 1],
    ['1', 0],
  ] as const) {
    const behind = await openOffice({ settings: { TRUST_PROXY: trusted } })
    const told: unknown[] = []
    behind.app.http.log.error = ((_: object, text: string) => told.push(text)) as never
    try {
      await behind.app.http.inject({ url: '/healthz' })
      assert.equal(told.length, 0)
      for (let i = 0; i < 3; i++)
        await behind.app.http.inject({ url: '/healthz', headers: { 'x-forwarded-for': '10.0.0.1' } })
      assert.equal(told.length, complaints)
    } finally {
      await behind.stop()
    }
  }
})

describe('what is refused before an operation', () => {
  test('an unknown path under /api is a JSON 404', async () => {
    for (const [method, url] of [
      ['GET', '/api/nothing'],
      ['POST', '/api/merchants/1/nothing'],
      ['DELETE', '/api/merchants'],
    ] as const) {
      const answer = await office.app.http.inject({ method, url, headers: { cookie, ...OWN } })
      assert.deepEqual([answer.statusCode, answer.json().code], [404, 'NOT_FOUND'], `${method} ${url}`)
    }
  })

  test('a body above the limit is refused before it is read', async () => {
    const answer = await setRemark(OWN, { remark: 'x'.repeat(300 * 1024) })
    assert.equal(answer.statusCode, 413)
  })

  test('a body that is no JSON is refused as the caller’s mistake', async () => {
    const answer = await setRemark({ ...OWN, 'content-type': 'application/json' }, '{"remark":')
    assert.equal(answer.statusCode, 400)
  })

  test('an input that does not fit names the field and keeps the message for people', async () => {
    const answer = await setRemark(OWN, { remark: 5 })
    const { code, message, data } = answer.json()
    assert.deepEqual([answer.statusCode, code, data.field], [422, 'INPUT_INVALID', 'remark'])
    assert.equal(message, '提交的内容有误，请检查后重试')
    const list = await get('/api/merchants?page=0')
    assert.deepEqual([list.statusCode, list.json().data.field], [422, 'page'])
    for (const query of [
      'size=7',
      'size=1000',
      'sort=password_hash',
      'registeredFrom=yesterday',
      'agentId=1e9',
    ])
      assert.equal((await get(`/api/merchants?${query}`)).statusCode, 422, query)
  })
})

describe('trouble inside', () => {
  test('is a 500 with a request id and without its cause', async () => {
    await office.owner.query('revoke select on industries from partner_office_app')
    try {
      for (const url of ['/api/merchants/options', '/api/merchants/export.xlsx']) {
        const answer = await get(url)
        assert.equal(answer.statusCode, 500, url)
        assert.deepEqual(Object.keys(answer.json()).sort().includes('data'), true)
        assert.match(answer.json().data.requestId, /^[0-9a-f-]{36}$/)
        assert.ok(!/industries|permission denied|select|at /.test(answer.body), answer.body)
      }
    } finally {
      await office.owner.query('grant select on industries to partner_office_app')
    }
  })

  test('waiting for a lock too long is told as being busy, and nothing is written', async () => {
    const hurried = await openOffice({ settings: { QUERY_TIMEOUT_MS: '1000' } })
    try {
      const partner = await makeAgent(hurried)
      const id = await makeMerchant(hurried, partner.id, { remark: '旧' })
      const mine = hurried.as(await hurried.login(partner.loginName))
      const other = await hurried.owner.connect()
      await other.query('begin')
      await other.query('select 1 from merchants where id = $1 for update', [id])
      assert.equal(await refusalOf(mine.merchants.setRemark({ id, remark: '等' })), 'BUSY')
      await other.query('rollback')
      other.release()
      const { rows } = await hurried.owner.query('select remark from merchants where id = $1', [id])
      assert.deepEqual(rows, [{ remark: '旧' }])
      await mine.merchants.setRemark({ id, remark: '等' })
    } finally {
      await hurried.stop()
    }
  })
})

describe('trouble with the database', () => {
  const refusedBy = (code: string, where?: string) =>
    Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code, where })
  const link = (code: string) => Object.assign(new Error(''), { code })

  for (const [what, error, status, code] of [
    ['a full pool', new Error('timeout exceeded when trying to connect'), 503, 'BUSY'],
    ['a silent link', new Error('Query read timeout'), 503, 'BUSY'],
    ['a lost link', new Error('Connection terminated unexpectedly'), 503, 'BUSY'],
    ['no server', link('ECONNREFUSED'), 503, 'BUSY'],
    ['a reset link', new Error('Failed query', { cause: link('ECONNRESET') }), 503, 'BUSY'],
    ['a server that stops', refusedBy('57P01'), 503, 'BUSY'],
    ['a lost link, as the server tells it', refusedBy('08006'), 503, 'BUSY'],
    ['a transaction that waited too long', refusedBy('25P03'), 503, 'BUSY'],
    ['a number out of range', refusedBy('22003'), 422, 'INPUT_INVALID'],
    [
      'a number out of range in the books',
      refusedBy('22003', 'function ledger_post(jsonb)'),
      500,
      'INTERNAL',
    ],
    ['a division by zero', refusedBy('22012'), 500, 'INTERNAL'],
  ] as const)
    test(`${what} is answered with ${status} ${code}`, async t => {
      const { http, services } = office.app
      const warned = t.mock.method(http.log, 'warn')
      t.mock.method(services.database, 'read', () => Promise.reject(error))
      t.mock.method(services.database, 'write', () => Promise.reject(error))
      const answers = [await get('/api/merchants/options'), await get('/api/merchants/export.xlsx')]
      for (const answer of answers) assert.deepEqual([answer.statusCode, answer.json().code], [status, code])
      const told = warned.mock.calls.filter(
        ({ arguments: [, text] }) => (text as unknown) === 'operation refused',
      )
      assert.equal(told.length, status === 500 ? 0 : 2)
      for (const {
        arguments: [line],
      } of told) {
        const { err, reqId } = line as unknown as { err: unknown; reqId: string }
        assert.equal(err, error.cause ?? error)
        assert.match(reqId, /^[0-9a-f-]{36}$/)
      }
    })
})

describe('operations', () => {
  test('/healthz says the process lives and /readyz that it may get traffic', async () => {
    assert.deepEqual((await get('/healthz')).json(), { alive: true })
    const ready = await get('/readyz')
    assert.equal(ready.statusCode, 200)
    assert.deepEqual(ready.json(), { ready: true, checks: { accepting: true, database: true, disk: true } })
  })

  test('/metrics tells latency by path shape and the use of the pool', async () => {
    await get(`/api/merchants/${shopId}`)
    const { body, headers } = await get('/metrics')
    assert.match(String(headers['content-type']), /^text\/plain/)
    assert.match(
      body,
      /http_request_seconds_count\{method="GET",path="\/api\/merchants\/\{id\}",status="200"\} [1-9]/,
    )
    assert.match(body, /database_pool_connections\{state="waiting"\} 0/)
    assert.match(body, /nodejs_eventloop_lag_seconds/)
    assert.doesNotMatch(body, new RegExp(`path="[^"]*${shopId}`))
  })

  test('/metrics has no more series after requests for invented paths and methods', async () => {
    const series = async () =>
      (await get('/metrics')).body.split('\n').filter(line => line.startsWith('http_request_seconds_count'))
        .length
    await get('/api/nothing')
    await get('/nothing')
    await get('/metrics')
    const before = await series()
    for (let i = 0; i < 20; i++) {
      await get(`/api/nothing-${i}`)
      await get(`/api/merchants/${i}/nothing-${i}/x`)
      await get(`/nothing-${i}/x`)
    }
    assert.equal(await series(), before)
    for (const method of ['LOCK', 'UNLOCK', 'PROPFIND'])
      await office.app.http.inject({ method: method as 'GET', url: '/nothing' })
    assert.ok((await series()) <= before + 1)
    await get('/api/merchants/export.xlsx?page=x')
    assert.match((await get('/metrics')).body, /path="\/api\/merchants\/export\.xlsx"/)
  })

  test('/metrics and the descriptions are for whoever watches, the latter also for people and programs', async () => {
    const ask = (url: string, address: string, headers = {}) =>
      office.app.http.inject({ url, remoteAddress: address, headers }).then(({ statusCode }) => statusCode)
    const stranger = '203.0.113.7'
    for (const url of ['/metrics', '/api/openapi.json', '/pos/openapi.json']) {
      assert.equal(await ask(url, '127.0.0.1'), 200)
      // Who is behind a proxy that is not believed seems to come from this machine.
      const behind = await ask(url, '127.0.0.1', { 'x-forwarded-for': stranger })
      assert.equal(behind, url === '/metrics' ? 403 : 401)
      assert.equal(await ask(url, stranger), url === '/metrics' ? 403 : 401)
      assert.equal(await ask(url, stranger, { cookie }), url === '/metrics' ? 403 : 200)
    }
    const { code } = (await office.app.http.inject({ url: '/metrics', remoteAddress: stranger })).json()
    assert.equal(code, 'FORBIDDEN')
  })

  test('/api/openapi.json lists every operation with its route', async () => {
    const { paths } = (await get('/api/openapi.json')).json() as {
      paths: Record<string, Record<string, { summary?: string }>>
    }
    for (const { name, path, method } of listOps(contract))
      assert.ok(paths[path]?.[method.toLowerCase()]?.summary, `${name} is not described`)
  })
})

test('where there is no room left a change is refused in words and nothing is half done, while reading goes on', async () => {
  const full = `create or replace function no_room() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`
  await office.owner.query(full)
  await office.owner.query('create trigger no_room before update on merchants execute function no_room()')
  try {
    const answer = await setRemark({ ...OWN, origin: 'http://office.example' })
    assert.equal(answer.statusCode, 503)
    assert.deepEqual([answer.json().code, answer.json().message], ['DISK_FULL', COMMON_REFUSALS.DISK_FULL])
    assert.equal((await get(`/api/merchants/${shopId}`)).statusCode, 200)
  } finally {
    await office.owner.query('drop trigger no_room on merchants; drop function no_room()')
  }
  assert.equal((await setRemark({ ...OWN, origin: 'http://office.example' })).statusCode, 200)
})

test('without its database the office is alive and not ready, and ready again after', async () => {
  const lonely = await openOffice()
  const url = new URL(lonely.ownerUrl)
  const name = url.pathname.slice(1)
  url.pathname = '/postgres'
  const server = new pg.Client({ connectionString: url.toString() })
  await server.connect()
  const ready = () => lonely.app.http.inject('/readyz')
  // The owner's own connection of the test would be ended too.
  lonely.owner.on('error', () => undefined)
  try {
    assert.equal((await ready()).statusCode, 200)
    await server.query(`alter database ${name} allow_connections false`)
    await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    await until(async () => (await ready()).statusCode === 503)
    assert.equal((await ready()).json().checks.database, false)
    assert.equal((await lonely.app.http.inject('/healthz')).statusCode, 200)
    const metrics = await lonely.app.http.inject('/metrics')
    assert.equal(metrics.statusCode, 200)
    assert.match(metrics.body, /^database_pool_connections\{/m)
    assert.doesNotMatch(metrics.body, /^ledger_drift\{/m)
    await server.query(`alter database ${name} allow_connections true`)
    assert.equal((await ready()).statusCode, 200)
  } finally {
    await server.query(`alter database ${name} allow_connections true`)
    await server.end()
    await lonely.stop()
  }
})

test('while stopping, what was asked is answered, the rest is sent elsewhere', async () => {
  const leaving = await openOffice()
  const partner = await makeAgent(leaving)
  const shop = await makeMerchant(leaving, partner.id)
  const session = await leaving.login(partner.loginName)
  const { http } = leaving.app
  await http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = http.server.address() as AddressInfo
  const holder = await leaving.owner.connect()
  await holder.query('begin')
  await holder.query('select 1 from merchants where id = $1 for update', [shop])
  const asked = request({
    port,
    host: '127.0.0.1',
    method: 'PATCH',
    path: `/api/merchants/${shop}/remark`,
    headers: { ...OWN, cookie: session, 'content-type': 'application/json' },
  })
  asked.end('{"remark":"最后"}')
  const answered = once(asked, 'response')
  assert.ok(await waitsFor(holder, answered))
  const stopped = leaving.stop()
  const readiness = await http.inject('/readyz').then(
    answer => answer.statusCode,
    (error: Error) => error.message,
  )
  assert.ok(readiness === 503 || /clos/i.test(String(readiness)), `readyz answered ${readiness}`)
  await holder.query('commit')
  holder.release()
  const [answer] = await answered
  assert.equal(answer.statusCode, 200)
  answer.resume()
  await stopped
})
