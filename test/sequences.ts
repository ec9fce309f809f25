// P14: any sequence of business and its undos ends where it began. What is sold to a few shops, in any order and taken back in any that is
// allowed; then all that still stands is taken back, the last first. Tokens are reckoned beside it by a model that knows sums alone.
import fc from 'fast-check'
import { UNDO_COUNT } from '#features/sales/settlement/rules.ts'
import type { Client, Office } from './app.ts'
import { makeAgent, makeMerchant } from './make.ts'
import { makeChain, tokensOf } from './make-purchases.ts'
import { makeSetting } from './make-settings.ts'

const VERSIONS = [3, 5, 12, 78] as const
const FOR_EVER = 1
const SCOPES = ['head', 'head', 'branches', 'all', 'addBranches'] as const
const TERMS = ['year', 'year', 'month'] as const
const SERVICES = [11, 12, 21, 22] as const

const which = fc.nat(99)
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('version' as const),
      shop: which,
      // What is bought for ever is bought no more until that is taken back.
      versionId: fc.oneof(
        { weight: 30, arbitrary: fc.constantFrom(...VERSIONS) },
        { weight: 1, arbitrary: fc.constant(FOR_EVER) },
      ),
      scope: fc.constantFrom(...SCOPES),
      term: fc.constantFrom(...TERMS),
      periods: fc.integer({ min: 1, max: 5 }),
      shops: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('batch' as const), periods: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('service' as const),
      shop: which,
      serviceId: fc.constantFrom(...SERVICES),
      quantity: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sms' as const), shop: which, pack: which }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('undo' as const), order: which }) },
)
export type Step = typeof step extends fc.Arbitrary<infer One> ? One : never
type Sale = Exclude<Step, { kind: 'undo' }>

export const stepsOf = (length: number): fc.Arbitrary<Step[]> =>
  fc.array(step, { minLength: length, maxLength: length })

/** `lines`: what each of its orders cost that stands; several in a batch alone, of which those are taken back that can be. */
type Order = { kind: Sale['kind']; orderNo: string; lines: Map<string, number> }
export type Played = { sold: number; undone: number; refused: number }

/** Whoever takes back more in a month than an agency may is told so: sequences take back far more. */
export const allowUndos = (office: Office) => makeSetting(office, UNDO_COUNT, UNDO_COUNT.max)

/** Plays a sequence in an agency of its own. Throws where it does not end where it began, or the model says otherwise on the way. */
export async function play(office: Office, steps: readonly Step[]): Promise<Played> {
  const agent = await makeAgent(office, { tokens: 10_000_000, sms: 1_000 })
  const client = office.as(await office.login(agent.loginName))
  const shops = await shopsOf(office, agent.id)
  const began = await stateOf(office, agent.id)
  const startCents = await tokensOf(office, agent.id)
  const standing: Order[] = []
  const played: Played = { sold: 0, undone: 0, refused: 0 }
  const reckon = async (after: string) => {
    const spent = standing.flatMap(({ lines }) => [...lines.values()]).reduce((sum, cents) => sum + cents, 0)
    const tokens = await tokensOf(office, agent.id)
    if (tokens !== startCents - spent)
      throw new Error(`after ${after} there are ${tokens} tokens and not ${startCents - spent}`)
  }
  for (const one of steps) {
    const order = one.kind === 'undo' ? standing[one.order % Math.max(1, standing.length)] : null
    if (one.kind === 'undo' && !order) continue
    try {
      if (order) {
        await undo(client, order)
        if (order.lines.size === 0) standing.splice(standing.indexOf(order), 1)
        played.undone++
      } else {
        standing.push(...(await sell(client, shops, one as Sale)))
        played.sold++
      }
    } catch (error) {
      if (!isRefusal(error)) throw error
      played.refused++
    }
    await reckon(JSON.stringify(one))
  }
  for (const order of standing.toReversed()) {
    await undo(client, order)
    if (order.lines.size > 0)
      throw new Error(`${order.lines.size} orders of ${order.orderNo} cannot be taken back`)
    played.undone++
  }
  const ended = await stateOf(office, agent.id)
  if (ended !== began) throw new Error(`it began as\n${began}\nand ended as\n${ended}`)
  return played
}

/** A refusal in words; anything else is a fault. */
function isRefusal(error: unknown): boolean {
  const { status, code } = error as { status?: number; code?: string }
  return status !== undefined && status < 500 && code !== 'INPUT_INVALID'
}

/** Of each kind that is sold to otherwise: with a term, after its end, a chain with its branches, for ever. */
async function shopsOf(office: Office, agentId: number): Promise<number[]> {
  const later = `${new Date().getUTCFullYear() + 1}-03-31T02:30:00.000Z`
  const past = `${new Date().getUTCFullYear() - 1}-02-28T02:30:00.000Z`
  const { head, branches } = await makeChain(office, agentId, 2, { expires_at: later, term_day: 31 })
  return [
    await makeMerchant(office, agentId, { expires_at: later, term_day: 31 }),
    await makeMerchant(office, agentId, { expires_at: past, term_day: 28 }),
    await makeMerchant(office, agentId, { version_id: 1, expires_at: null }),
    head,
    ...branches,
  ]
}

async function sell(client: Client, shops: readonly number[], sale: Sale): Promise<Order[]> {
  const { kind } = sale
  if (kind === 'batch') {
    const asked = { merchantIds: [...shops], term: 'year' as const, periods: sale.periods, remark: '' }
    const { batchNo } = await client.purchases.bulkQuote(asked)
    const { receipts } = await client.purchases.bulkConfirm({ batchNo })
    const paid = receipts.flatMap(line =>
      line.orderNo === null ? [] : [[line.orderNo, line.totalCents] as const],
    )
    return [{ kind, orderNo: batchNo, lines: new Map(paid) }]
  }
  const merchantId = shops[sale.shop % shops.length] as number
  if (kind === 'version') {
    const { versionId, scope, term, periods, shops: count } = sale
    const branchIds = scope === 'branches' ? shops.slice(-2) : []
    const asked = { merchantId, versionId, scope, branchIds, term, periods, shops: count, remark: '' }
    const { orderNo } = await client.purchases.quote(asked)
    const { totalCents } = await client.purchases.confirm({ orderNo })
    return [{ kind, orderNo, lines: new Map([[orderNo, totalCents]]) }]
  }
  if (kind === 'service') {
    const items = [{ serviceId: sale.serviceId, quantity: sale.quantity, years: 1 }]
    const bought = await client.services.buy({
      merchantId,
      items,
      totalCents: await priceOf(client, merchantId, items),
    })
    return bought.orders.map(({ orderNo, totalCents: cents }) => ({
      ...{ kind, orderNo, lines: new Map([[orderNo, cents]]) },
    }))
  }
  const { rows } = await client.sms.packages({ merchantId })
  const pack = rows[sale.pack % rows.length]
  if (!pack) return []
  const { id: packageId, totalCents } = pack
  const { orderNo } = await client.sms.buy({ merchantId, packageId, totalCents })
  return [{ kind, orderNo, lines: new Map([[orderNo, totalCents]]) }]
}

type Item = { serviceId: number; quantity: number; years: number }

/** What the page would show. */
async function priceOf(client: Client, merchantId: number, items: readonly Item[]): Promise<number> {
  const asked = { merchantId, items: [...items], totalCents: 0 }
  const told = await client.services.buy(asked).catch((error: { data?: { totalCents?: number } }) => error)
  return 'data' in told && told.data?.totalCents !== undefined ? told.data.totalCents : 0
}

async function undo(client: Client, { kind, orderNo, lines }: Order): Promise<void> {
  const { state, previews } = await client.settlement.undo({ kind, orderNo, reason: '撤销' })
  if (state !== 'undone') throw new Error(`${kind} ${orderNo} is ${state}`)
  for (const line of previews) if (line.refusal === null) lines.delete(line.orderNo)
}

/** What an agency and its shops have: terms, services, SMS credit and tokens. A term that keeps no day keeps that of its end. */
async function stateOf({ owner }: Office, agentId: number): Promise<string> {
  const { rows } = await owner.query<{ line: string }>(
    `select concat_ws(' ', 'shop', id, version_id, store_kind, status, coalesce(expires_at::text, 'for ever'), 'day', coalesce(term_day, extract(day from expires_at at time zone 'Asia/Shanghai')),
       'shops', shops_bought, 'head', head_id) as line from merchants where agent_id = $1
     union all select concat_ws(' ', 'service', merchant_id, service_id, quantity, expires_at, term_day) from merchant_services where agent_id = $1
     union all select concat_ws(' ', 'account', owner_kind, owner_id, asset, balance) from ledger_accounts
       where (owner_kind = 'agent' and owner_id = $1 or owner_kind = 'merchant' and owner_id in (select id from merchants where agent_id = $1))
         and balance <> 0
     order by 1`,
    [agentId],
  )
  return rows.map(({ line }) => line).join('\n')
}
