// The measured operations: what callers ask, and how the floor's statements for it are recorded.
import type pg from 'pg'
import type { App } from '#app/server.ts'
import { addDays, formatDay } from '#kit/time.ts'
import { makeQuotes } from './quotes.ts'
import { type Recorded, recordStatements, type Vars, withHoles } from './statements.ts'

export type Setup = {
  owner: pg.Pool
  /** The program inside this process, only for recording. */
  app: App
  /** Session cookies by login name. */
  cookies: ReadonlyMap<string, string>
  /** Agents by login name. */
  agentIds: ReadonlyMap<string, number>
  largest: { agentId: number; total: number }
}

export type Call = {
  login: string
  method: 'GET' | 'PATCH' | 'POST'
  path: string
  body?: object
  /** What is of this call alone. */
  vars: Vars
  /** Which recording of the case the floor runs. */
  variant: number
}

export type Prepared = {
  /** Program and floor take the same calls in turn; where each can be made only once, they have their own. */
  program: Call[]
  floor: Call[]
  once: boolean
  recorded: Recorded[]
}

export type Case = { name: string; title: string; prepare(setup: Setup): Promise<Prepared> }

export const LARGEST = '30001'
export const STAFF = '10090'
export const OPERATOR = '10001'
/** An agent with ten agents under it. */
export const PARENT = '30002'
/** Callers of different agents: connections change hands between tenants, and no wallet is waited for. */
export const SELLERS = Array.from({ length: 16 }, (_, i) => String(30_001 + i))
const SEARCHES = ['福鑫', '金玉', '百味', '嘉美', '小城', '鲜果', '云海', '满堂']

const LETTERS = ['福', '鑫', '玉', '嘉', '鲜', '云']

const DAY_MS = 86_400_000

export const CASES: Case[] = [
  reads('list', 'list page 1 with total', setup => ofSellers(setup, '/merchants?page=1&size=10')),
  reads('list-rows', 'list page 1 without total', setup =>
    ofSellers(setup, '/merchants?page=1&size=10&total=false'),
  ),
  reads('filtered', 'list by status, expiry, version', () => {
    const from = formatDay(new Date())
    const to = formatDay(new Date(Date.now() + 90 * DAY_MS))
    const range = `expiresFrom=${from}&expiresTo=${to}`
    return [get(`/merchants?page=1&size=10&status=normal&versionId=12&${range}`)]
  }),
  reads('search', 'list by two characters', () =>
    SEARCHES.map(search => get(`/merchants?page=1&size=10&search=${encodeURIComponent(search)}`, { search })),
  ),
  reads('search-one', 'list by one character', () =>
    LETTERS.map(search => get(`/merchants?page=1&size=10&search=${encodeURIComponent(search)}`, { search })),
  ),
  reads('search-staff', 'staff search over all agents', () =>
    SEARCHES.map(search =>
      get(`/merchants?page=1&size=10&search=${encodeURIComponent(search)}`, { search }, STAFF),
    ),
  ),
  reads('deep', 'list last page', ({ largest }) => [
    get(`/merchants?size=10&page=${Math.floor(largest.total / 10)}`),
  ]),
  reads('middle', 'list middle page', ({ largest }) => [
    get(`/merchants?size=10&page=${Math.floor(largest.total / 20)}`),
  ]),
  reads('details', 'details', async setup =>
    (await shopIds(setup)).map(id => get(`/merchants/${id}`, { id })),
  ),
  {
    name: 'remark',
    title: 'edit of a remark',
    async prepare(setup) {
      const calls = (await shopIds(setup)).map((id, i): Call => {
        const remark = `bench-${i}-remark`
        const path = `/merchants/${id}/remark`
        return { ...get(path, { id, remark }), method: 'PATCH', body: { remark } }
      })
      return { program: calls, floor: calls, once: false, recorded: [await record(setup, calls[0] as Call)] }
    },
  },
  { name: 'add', title: 'add a merchant: confirm', prepare: prepareAdd },
  reads('staff', 'staff list over all agents', () => [get('/merchants?page=1&size=10', {}, STAFF)]),
  reads('orders', 'version orders page 1', setup => ofSellers(setup, '/orders?page=1&size=10')),
  reads('orders-month', 'version orders paid in 30 days', () => {
    const today = formatDay(new Date())
    return [get(`/orders?status=paid&paidFrom=${addDays(today, -30)}&paidTo=${today}`)]
  }),
  reads('orders-search', 'version orders by shop name', () =>
    SEARCHES.map(search => get(`/orders?search=${encodeURIComponent(search)}`, { search })),
  ),
  reads('orders-staff', 'version orders of all agents', () => [get('/orders', {}, STAFF)]),
  reads('bills', 'billing details page 1', setup => ofSellers(setup, '/settlement/bills?page=1&size=10')),
  reads('bills-renew', 'billing details, renewals', () => [get('/settlement/bills?salesType=renew')]),
  reads('statement', 'monthly statement', () => [
    get(`/settlement/statement?month=${formatDay(new Date()).slice(0, 7)}`),
  ]),
  reads('services', 'value-added orders page 1', setup =>
    ofSellers(setup, '/services/orders?page=1&size=10'),
  ),
  reads('sms', 'SMS orders page 1', setup => ofSellers(setup, '/sms/orders?page=1&size=10')),
  reads('overdue', 'overdue page 1', setup => ofSellers(setup, '/merchants/overdue?page=1&size=10')),
  reads('source', 'merchant sources, imported', () => [get('/merchants/source?source=import', {}, OPERATOR)]),
  reads('secondary', 'merchants of agents below', () => [get('/merchants/secondary', {}, PARENT)]),
  reads('desk', 'renewal desk, 30 days', () => [get('/renewals?window=30')]),
  reads('counts', 'renewal desk, counts', () => [get('/renewals/counts')]),
  reads('figures', 'dashboard, today and yesterday', () => [get('/dashboard/figures')]),
  reads('charts', 'dashboard, 30 days', () => [get('/dashboard/charts')]),
  reads('figures-staff', 'dashboard of staff, two days', () => [get('/dashboard/figures', {}, STAFF)]),
  reads('charts-staff', 'dashboard of staff, 30 days', () => [get('/dashboard/charts', {}, STAFF)]),
  reads('forecast', 'SMS forecast of shops', () => [get('/messages/forecast')]),
  reads('forecast-dry', 'SMS forecast, dries up soon', () => [get('/messages/forecast?driesUp=true')]),
  reads('forecast-staff', 'SMS forecast over all agents', () => [get('/messages/forecast', {}, STAFF)]),
  reads('timeline', 'timeline of a shop', async setup =>
    (await shopIds(setup)).map(id => get(`/merchants/${id}/timeline`, { id })),
  ),
]

function get(path: string, vars: Vars = {}, login = LARGEST): Call {
  return { login, method: 'GET', path: `/api${path}`, vars, variant: 0 }
}

function ofSellers({ agentIds }: Setup, path: string): Call[] {
  return SELLERS.map(login => get(path, { agentId: agentIds.get(login) as number }, login))
}

function reads(name: string, title: string, calls: (setup: Setup) => Call[] | Promise<Call[]>): Case {
  return {
    name,
    title,
    async prepare(setup) {
      const all = await calls(setup)
      const recorded = await record(setup, all[0] as Call)
      return { program: all, floor: all, once: false, recorded: [recorded] }
    },
  }
}

/** Shops of the largest agent with a payment method, spread over its whole table. */
async function shopIds({ owner, largest }: Setup): Promise<number[]> {
  const { rows } = await owner.query<{ id: string }>(
    `select id from merchants where agent_id = $1 and payment_method_id = 1 and status = 'normal'
       order by hashtext(id::text) limit 2000`,
    [largest.agentId],
  )
  return rows.map(row => Number(row.id))
}

async function prepareAdd(setup: Setup): Promise<Prepared> {
  const sellers = await makeQuotes(setup, SELLERS)
  const recorded: Recorded[] = []
  for (const [variant, seller] of sellers.entries())
    recorded.push(await record(setup, addCall(seller.login, variant, seller.first), answer => answer.id))
  const callsOf = (side: 'program' | 'floor') =>
    Array.from({ length: sellers[0]?.[side].length ?? 0 }, (_, i) =>
      sellers.map((seller, variant) =>
        addCall(seller.login, variant, seller[side][i] as { orderNo: string; account: string }),
      ),
    ).flat()
  return { program: callsOf('program'), floor: callsOf('floor'), once: true, recorded }
}

function addCall(login: string, variant: number, quote: { orderNo: string; account: string }): Call {
  const body = { orderNo: quote.orderNo }
  return { login, method: 'POST', path: '/api/merchants', body, vars: quote, variant }
}

/** Makes the call on the program in this process and keeps its statements; `newId` reads the new row's id of the answer. */
async function record(
  { app, cookies }: Setup,
  call: Call,
  newId?: (answer: { id: number }) => number,
): Promise<Recorded> {
  const { sent, result } = await recordStatements(() =>
    app.http.inject({
      method: call.method,
      url: call.path,
      headers: headersOf(call, cookies),
      ...(call.body ? { payload: call.body } : {}),
    }),
  )
  if (result.statusCode !== 200)
    throw new Error(`${call.path} answered ${result.statusCode} ${result.body.slice(0, 300)}`)
  const vars = newId ? { ...call.vars, newId: newId(result.json()) } : call.vars
  return { statements: withHoles(sent, vars), writes: call.method !== 'GET' }
}

export function headersOf(call: Call, cookies: ReadonlyMap<string, string>): Record<string, string> {
  const cookie = cookies.get(call.login) as string
  if (call.method === 'GET') return { cookie }
  return { cookie, 'x-requested-with': 'partner-office', 'idempotency-key': crypto.randomUUID() }
}
