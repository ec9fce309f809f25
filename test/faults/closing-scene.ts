// A partner with shops, of which some hold SMS credit, an agent that takes them, one beside them; and what must be true in the end.
import type pg from 'pg'
import { merchantRow } from '#features/shops/merchants/rows.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { insertRows } from '#server/insert-rows.ts'
import { createOwners } from './scene.ts'
import { judgeLedger } from './sound.ts'

export const [PARTNER, TAKER, OTHER] = [500, 501, 502]
export const START_CENTS = 100_000_000_000
const [FIRST_SHOP, FIRST_OF_OTHER] = [40_000_000, 60_000_000]
const [SMS_EACH, SMS_OF_PARTNER] = [5, 700]
const ROWS_AT_ONCE = 5_000

/** Answers the accounts of the taker's buyers. */
export async function createScene(
  client: pg.Client,
  { shops, others, buyers }: { shops: number; others: number; buyers: number },
): Promise<number[]> {
  const { ids } = await createOwners(client, { [PARTNER]: '离开的', [TAKER]: '接收的', [OTHER]: '旁边的' }, [
    { agentId: 1, loginName: 'operator' },
    { agentId: OTHER, loginName: 'other' },
    ...Array.from({ length: buyers }, (_, nth) => ({ agentId: TAKER, loginName: `buyer${nth}` })),
  ])
  await createShops(client, { agentId: PARTNER, first: FIRST_SHOP, account: 13_600_000_000 }, shops)
  await createShops(client, { agentId: OTHER, first: FIRST_OF_OTHER, account: 13_700_000_000 }, others)
  await credit(client, shops)
  await client.query('vacuum analyze')
  return ids.slice(2)
}

async function createShops(
  client: pg.Client,
  { agentId, first, account }: { agentId: number; first: number; account: number },
  count: number,
): Promise<void> {
  const now = Date.now()
  const row = (n: number) =>
    merchantRow({
      id: first + n,
      agentId,
      account: String(account + n),
      registeredAt: new Date(now - n * 60_000).toISOString(),
      expiresAt: new Date(now + (n % 700) * 86_400_000).toISOString(),
      ...(n % 10 === 9 ? { storeKind: 'branch' as const, headId: first + n - 1 } : {}),
    })
  for (let from = 0; from < count; from += ROWS_AT_ONCE) {
    const rows = Array.from({ length: Math.min(ROWS_AT_ONCE, count - from) }, (_, n) => row(from + n))
    await insertRows(client, merchants, rows)
  }
}

async function credit(client: pg.Client, shops: number): Promise<void> {
  const to = (asset: 'sms' | 'token', amount: number, owner: { kind: 'agent' | 'merchant'; id: number }) => ({
    ...{ kind: 'credit', asset, amount, payMethod: 'gift', document: 'START', to: owner },
    ...{ from: { kind: 'vendor', book: asset === 'sms' ? 'sms-supplier' : 'issued' } },
    ...{ actorId: 1, actorName: '测试', description: '期初' },
    agentId: owner.kind === 'agent' ? owner.id : PARTNER,
    ...(owner.kind === 'merchant' ? { merchantId: owner.id } : {}),
  })
  const credits = [
    to('sms', SMS_OF_PARTNER, { kind: 'agent', id: PARTNER }),
    to('token', START_CENTS, { kind: 'agent', id: TAKER }),
  ]
  for (let n = 0; n < shops; n += 3)
    credits.push(to('sms', SMS_EACH, { kind: 'merchant', id: FIRST_SHOP + n }))
  for (let from = 0; from < credits.length; from += 500)
    await client.query('select ledger_post($1::jsonb)', [JSON.stringify(credits.slice(from, from + 500))])
}

type Moved = { id: string; agent: string; told: number; moves: number; held: string | null }

/** What is not as it must be once all shops have gone. */
export async function judgeMoves(client: pg.Client, shops: number): Promise<string[]> {
  const found: string[] = []
  const { rows } = await client.query<Moved>(
    `select m.id, m.agent_id as agent, (select count(*)::int from tool_actions t where t.merchant_id = m.id) as told,
       (select count(*)::int from ledger_moves v join ledger_accounts a on a.id = v.account_id
         where a.owner_kind = 'merchant' and a.owner_id = m.id) as moves,
       (select agent_id from ledger_accounts a where a.owner_kind = 'merchant' and a.owner_id = m.id) as held
     from merchants m where m.id >= $1 and m.id < $2 order by m.id`,
    [FIRST_SHOP, FIRST_SHOP + shops],
  )
  if (rows.length !== shops) found.push(`${rows.length} shops are left of ${shops}`)
  for (const { id, agent, told, moves, held } of rows) {
    const hasAccount = (Number(id) - FIRST_SHOP) % 3 === 0
    if (Number(agent) !== TAKER) found.push(`shop ${id} is at ${agent}`)
    if (told !== 1) found.push(`shop ${id} was moved ${told} times`)
    if (moves !== (hasAccount ? 1 : 0)) found.push(`the account of shop ${id} was moved ${moves} times`)
    if (hasAccount && Number(held) !== TAKER) found.push(`the account of shop ${id} is at ${held}`)
  }
  const { rows: ends } = await client.query<{ state: string; status: string; moved: string; sms: string }>(
    `select c.state, a.status, c.moved, (select balance from ledger_accounts
       where owner_kind = 'agent' and owner_id = $2 and asset = 'sms') as sms
     from agents a join partner_closings c on c.agent_id = a.id where a.id = $1`,
    [PARTNER, TAKER],
  )
  const end = ends[0]
  if (end?.state !== 'done') found.push(`the closing is ${end?.state}`)
  if (end?.status !== 'closed') found.push(`the partner is ${end?.status}`)
  if (Number(end?.moved) !== shops) found.push(`${end?.moved} shops are said to have gone`)
  if (Number(end?.sms) !== SMS_OF_PARTNER) found.push(`the taker holds ${end?.sms} pieces`)
  found.push(...(await judgeLedger(client)).breaches)
  return found
}
