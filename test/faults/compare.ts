// Holds what was acknowledged against the rows: a sum alone would not show a loss beside a duplicate.
import type pg from 'pg'
import { CREDIT_CENTS, type Intent, type Market } from './buyers.ts'
import { judgeDeals, walletOf } from './deals.ts'
import { judgeLedger } from './sound.ts'

export type Comparison = { figures: Record<string, number>; breaches: string[]; ledger: string }

type Booked = { document: string; remark: string; kind: string; amount: string; merchant_id: string | null }
type Order = { order_no: string; merchant_id: string; total_cents: string; shops: string; logs: string }

/** `otherShops`: of this agent, that came in another way. */
export async function compare(
  client: pg.Client,
  market: Market,
  startCents: number,
  otherShops = 0,
): Promise<Comparison> {
  const breaches: string[] = []
  const expect = (holds: boolean, breach: string) => void (holds || breaches.push(breach))
  const { rows: booked } = await client.query<Booked>(
    `select document, remark, kind, amount, merchant_id from ledger_transfers where agent_id = $1 and asset = 'token'`,
    [market.agentId],
  )
  const { rows: paid } = await client.query<Order>(
    `select o.order_no, o.merchant_id, o.total_cents,
       (select count(*) from merchants m where m.id = o.merchant_id) as shops,
       (select count(*) from operation_logs l where l.title = '新增商户' and l.changes->0->>'after' = o.order_no) as logs
     from version_orders o where o.agent_id = $1 and o.status = 'paid' and o.sales_type = 'new'`,
    [market.agentId],
  )
  const purchases = groupBy(
    booked.filter(row => row.kind === 'version-new'),
    row => row.document,
  )
  const credits = groupBy(
    booked.filter(row => row.kind === 'credit' && row.document !== 'START'),
    row => row.remark,
  )
  const orders = new Map(paid.map(order => [order.order_no, order]))
  const acknowledged = market.intents.filter(intent => intent.answer !== null)
  let lost = 0
  let twice = 0
  for (const intent of acknowledged.filter(({ deal }) => !deal)) {
    const answer = JSON.parse(intent.answer as string) as {
      id?: number
      orderNo?: string
      documentNo?: string
    }
    const rows = (intent.kind === 'add' ? purchases.get(answer.orderNo ?? '') : credits.get(intent.key)) ?? []
    if (rows.length === 0) lost++
    if (rows.length > 1) twice++
    if (rows.length !== 1) breaches.push(`${intent.kind} ${intent.key} is booked ${rows.length} times`)
    else if (intent.kind === 'credit')
      expect(rows[0]?.document === answer.documentNo, `credit ${intent.key} has another document`)
    else {
      const order = orders.get(answer.orderNo ?? '')
      expect(answer.orderNo === intent.body.orderNo, `${answer.orderNo} answers for ${intent.body.orderNo}`)
      expect(
        Number(order?.merchant_id) === answer.id && order?.shops === '1',
        `order ${answer.orderNo} has not the shop it answered`,
      )
      expect(order?.logs === '1', `order ${answer.orderNo} is logged ${order?.logs} times`)
    }
  }
  const added = acknowledged.filter(intent => intent.kind === 'add').length
  const credited = acknowledged.filter(intent => intent.kind === 'credit').length
  const dealt = acknowledged.flatMap(({ key, answer, deal }) =>
    deal && answer !== null ? [{ ...deal, key, answer }] : [],
  )
  const unresolved = market.intents.length - acknowledged.length
  expect(unresolved === 0, `${unresolved} outcomes stayed unknown or were refused`)
  expect(paid.length === added, `${paid.length} orders are paid, ${added} were acknowledged`)
  expect(purchases.size === added, `${purchases.size} orders are booked, ${added} were acknowledged`)
  expect(credits.size === credited, `${credits.size} credits are booked, ${credited} were acknowledged`)
  const spent = paid.reduce((sum, order) => sum + Number(order.total_cents), 0)
  await compareTotals(
    client,
    market,
    {
      shops: otherShops + (market.dealing?.shopIds.length ?? 0) + added,
      keys: acknowledged.length,
      wallet: startCents + credited * CREDIT_CENTS - spent + walletOf(dealt, market.agentId),
    },
    expect,
  )
  const others = new Set(acknowledged.filter(({ deal }) => !deal).map(documentOf))
  const deals = market.dealing ? await judgeDeals(client, market.dealing, dealt, others) : null
  breaches.push(...(deals?.breaches ?? []))
  const ledger = await judgeLedger(client)
  breaches.push(...ledger.breaches)
  const figures = {
    acknowledged: acknowledged.length,
    purchases: added,
    credits: credited,
    lost,
    twice,
    unresolved,
    ...deals?.figures,
  }
  return { figures, breaches, ledger: ledger.line }
}

function documentOf({ answer }: Intent): string {
  const { orderNo, documentNo } = JSON.parse(answer as string) as { orderNo?: string; documentNo?: string }
  return orderNo ?? documentNo ?? ''
}

async function compareTotals(
  client: pg.Client,
  market: Market,
  expected: { shops: number; keys: number; wallet: number },
  expect: (holds: boolean, breach: string) => void,
): Promise<void> {
  const { rows } = await client.query<Record<string, string>>(
    `select (select count(*) from merchants where agent_id = $1) as shops,
       (select total from merchant_counts where agent_id = $1) as counted,
       (select count(*) from idempotency_keys where key = any ($2)) as keys,
       (select balance from ledger_accounts where owner_kind = 'agent' and owner_id = $1 and asset = 'token') as wallet`,
    [market.agentId, market.intents.map(({ key }) => key)],
  )
  const found = rows[0] as Record<string, string>
  expect(Number(found.shops) === expected.shops, `${found.shops} shops, not ${expected.shops}`)
  expect(Number(found.counted) === expected.shops, `the counter of shops says ${found.counted}`)
  expect(Number(found.keys) === expected.keys, `${found.keys} keys are kept, not ${expected.keys}`)
  expect(Number(found.wallet) === expected.wallet, `the wallet holds ${found.wallet}, not ${expected.wallet}`)
}

function groupBy<T>(rows: T[], key: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) groups.set(key(row), [...(groups.get(key(row)) ?? []), row])
  return groups
}
