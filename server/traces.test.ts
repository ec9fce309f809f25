// What a collector is told: a server that takes what OTLP sends, and an office that traces.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { type Office, openOffice } from '#test/app.ts'
import { makeAgent, makeMerchant } from '#test/make.ts'
import { until } from '#test/patience.ts'

type Told = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  status: { code?: number }
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

const told: Told[] = []
const collector = createServer((request, answer) => {
  void text(request).then(body => {
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans: { scopeSpans: { spans: Told[] }[] }[]
    }
    told.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)))
    answer.end('{}')
  })
})
let office: Office
let cookie: string
let shop: number
before(async () => {
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  office = await openOffice({
    settings: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` },
  })
  const agent = await makeAgent(office)
  shop = await makeMerchant(office, agent.id)
  cookie = await office.login(agent.loginName)
})
after(async () => {
  await office.stop()
  collector.closeAllConnections()
  collector.close()
})

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'

test('a request is a span with its statements within it, goes on with the caller’s trace, and says nothing of anybody', async () => {
  const answer = await office.app.http.inject({
    method: 'PATCH',
    url: `/api/merchants/${shop}/remark?secret=1`,
    headers: {
      ...{ 'x-requested-with': 'partner-office', 'idempotency-key': crypto.randomUUID(), cookie },
      traceparent: `00-${TRACE}-${CALLER}-01`,
    },
    payload: { remark: '不可外传' },
  })
  assert.equal(answer.statusCode, 200, answer.body)
  const own = () => told.filter(({ traceId }) => traceId === TRACE)
  await until(() => own().some(({ parentSpanId }) => parentSpanId === CALLER), 'nothing was told')
  const request = own().find(({ parentSpanId }) => parentSpanId === CALLER) as Told
  assert.equal(request.name, 'PATCH /api/merchants/{id}/remark')
  assert.equal(request.attributes.find(({ key }) => key === 'http.response.status_code')?.value.intValue, 200)
  const statements = own().filter(({ parentSpanId }) => parentSpanId === request.spanId)
  assert.ok(
    statements.some(({ name }) => name === 'begin') && statements.length > 2,
    statements.map(({ name }) => name).join(),
  )
  const all = JSON.stringify(told)
  for (const secret of ['不可外传', 'secret=1', cookie.split('=')[1] ?? '', `/merchants/${shop}`])
    assert.ok(!all.includes(secret), secret)
})

test('what nobody asked for is not traced', async () => {
  const before = told.length
  await office.owner.query('select 1')
  await office.app.http.inject({ url: '/healthz' })
  await until(() => told.some(({ name }) => name === 'GET /healthz'))
  assert.deepEqual(
    told.slice(before).filter(({ parentSpanId, name }) => !parentSpanId && name !== 'GET /healthz'),
    [],
  )
})
