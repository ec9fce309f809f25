// What is sold, given and handed over beside new shops and credits: one deal of each kind for a buyer with a shop of its own, and the movements
// that it must leave, written down beside the product. Prices are those that the page would show.
import { setTimeout as pause } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import type { TransferKind } from '#features/money/ledger/rules.ts'
import { UNDO_COUNT } from '#features/sales/settlement/rules.ts'
import { merchantRow } from '#features/shops/merchants/rows.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { delivery } from '#test/make-hardware.ts'
import { writePrice } from '#test/make-purchases.ts'
import { call } from './payments-killed.ts'

export type Move = readonly [
  kind: TransferKind,
  asset: 'token' | 'sms',
  amount: number,
  from: string,
  to: string,
]

/** What is asked, and what must have moved under the number that the answer names. */
export type Deal = {
  kind: DealKind
  path: string
  body: Record<string, unknown>
  /** The operator's, where it is none of the buyer's. */
  byOperator?: true
  moves: readonly Move[]
  documentIn(answer: Answer): string
}
type Answer = { orderNo?: string; documentNo?: string; orders?: { orderNo: string }[] }

/** A buyer's own shop, and the service that it bought last and did not take back. */
export type Dealer = { cookie: string; shopId: number; bought: string | null }
export type Prices = { service: number; package: number; packageId: number; pieces: number; renewal: number }
export type Place = {
  url: string
  agentId: number
  belowId: number
  productId: number
  shopIds: readonly number[]
  prices: Prices
  giveUpAt: number
}

export const SHOP_SMS = 1_000_000
export const AGENT_SMS = 10_000_000
const HARDWARE_CENTS = 12_300
const SERVICE = { serviceId: 11, quantity: 1, years: 1 }
const RENEWED_DAYS = 30
const VERSION = 12

/** The way back of what one service costs names its order. */
const sold = (kind: TransferKind, cents: number, agentId: number): Move => [
  kind,
  'token',
  cents,
  `agent ${agentId}`,
  'revenue',
]

/** The next deal of each kind; null where this buyer has nothing that it could be made with. */
const DEALS = {
  hardware: ({ agentId, productId }) => ({
    path: '/api/hardware/orders',
    body: { ...delivery, lines: [{ productId, quantity: 1 }], totalCents: HARDWARE_CENTS },
    moves: [sold('hardware', HARDWARE_CENTS, agentId)],
    documentIn: ofOrder,
  }),
  service: ({ agentId, prices }, { shopId }) => ({
    path: `/api/merchants/${shopId}/services`,
    body: { items: [SERVICE], totalCents: prices.service },
    moves: [sold('service', prices.service, agentId)],
    documentIn: ({ orders }) => orders?.[0]?.orderNo ?? '',
  }),
  undo: ({ agentId, prices }, { bought }) =>
    bought === null
      ? null
      : {
          path: '/api/settlement/undos',
          body: { kind: 'service', orderNo: bought, reason: '撤销' },
          moves: [
            sold('service', prices.service, agentId),
            ['undo', 'token', prices.service, 'revenue', `agent ${agentId}`],
          ],
          documentIn: () => bought,
        },
  'sms-package': ({ agentId, prices }, { shopId }) => ({
    path: `/api/merchants/${shopId}/sms-packages`,
    body: { packageId: prices.packageId, totalCents: prices.package },
    moves: [
      sold('sms-package', prices.package, agentId),
      ['sms-package', 'sms', prices.pieces, 'sms-supplier', `merchant ${shopId}`],
    ],
    documentIn: ofOrder,
  }),
  'sms-gift': ({ agentId }, { shopId }) => ({
    path: `/api/merchants/${shopId}/sms-gifts`,
    body: { pieces: 3 },
    moves: [['sms-gift', 'sms', 3, `agent ${agentId}`, `merchant ${shopId}`]],
    documentIn: ofOrder,
  }),
  'sms-recall': ({ agentId }, { shopId }) => ({
    path: `/api/merchants/${shopId}/sms-recalls`,
    body: { pieces: 2 },
    moves: [['sms-recall', 'sms', 2, `merchant ${shopId}`, `agent ${agentId}`]],
    documentIn: ofOrder,
  }),
  'sms-credit': ({ agentId }) => ({
    path: `/api/agents/${agentId}/credits`,
    body: { asset: 'sms', amount: 7, reason: '补发' },
    byOperator: true,
    moves: [['credit', 'sms', 7, 'sms-supplier', `agent ${agentId}`]],
    documentIn: ofDocument,
  }),
  allocate: ({ agentId, belowId }) => ({
    path: `/api/settlement/sub-agents/${belowId}/allocations`,
    body: { amountCents: 11, remark: '' },
    moves: [
      ['allocate', 'token', 11, `agent ${agentId}`, 'payment-clearing'],
      ['allocate', 'token', 11, 'payment-clearing', `agent ${belowId}`],
    ],
    documentIn: ofDocument,
  }),
  renewal: async ({ url, agentId, prices, giveUpAt }, { cookie, shopId }) => {
    const orderNo = await quoted(url, cookie, shopId, giveUpAt)
    if (orderNo === null) return null
    return {
      path: '/api/purchases',
      body: { orderNo },
      moves: [sold('version-renew', prices.renewal, agentId)],
      documentIn: ofOrder,
    }
  },
} satisfies Record<string, (place: Place, dealer: Dealer) => Made | null | Promise<Made | null>>

export type DealKind = keyof typeof DEALS
type Made = Omit<Deal, 'kind'>
export const DEAL_KINDS = Object.keys(DEALS) as DealKind[]

function ofOrder({ orderNo = '' }: Answer): string {
  return orderNo
}

function ofDocument({ documentNo = '' }: Answer): string {
  return documentNo
}

/** What dealers need beside the wallet: a shop each with SMS credit, an agent below, a product, and as many undos as they like. */
export async function preparePlace(
  client: pg.Client,
  agentId: number,
  shops: number,
): Promise<{ shopIds: number[]; belowId: number; productId: number }> {
  const belowId = agentId + 1
  await client.query('update agents set parent_id = $1 where id = $2', [agentId, belowId])
  const shopIds = Array.from({ length: shops }, (_, at) => 1_000 + at)
  const now = Date.now()
  await drizzle(client)
    .insert(merchants)
    .values(
      shopIds.map((id, at) =>
        merchantRow({
          ...{ id, agentId, versionId: VERSION, account: `17${String(at).padStart(9, '0')}` },
          registeredAt: new Date(now).toISOString(),
          expiresAt: new Date(now + RENEWED_DAYS * 86_400_000).toISOString(),
        }),
      ),
    )
  const made = await client.query<{ id: string }>(
    `insert into hardware_products (name, model, stock, enabled, created_at) values ('打印机', 'X1', 1000000, true, now()) returning id`,
  )
  const productId = Number(made.rows[0]?.id)
  await writePrice((text, values) => client.query(text, values), {
    ...{ book: 'hardware', item: productId, part: 'unit', cents: HARDWARE_CENTS },
  })
  await client.query(
    `insert into office_settings (key, value, updated_by, updated_at) values ($1, to_jsonb($2::int), 0, now())
     on conflict (key) do update set value = excluded.value`,
    [UNDO_COUNT.key, UNDO_COUNT.max],
  )
  const given = (kind: TransferKind, to: object, amount: number) => ({
    ...{ kind, asset: 'sms', amount, from: { kind: 'vendor', book: 'sms-supplier' }, to },
    ...{ document: 'START', payMethod: 'gift', agentId, actorId: 1, actorName: '甲', description: '期初' },
  })
  await client.query('select ledger_post($1::jsonb)', [
    JSON.stringify([
      given('credit', { kind: 'agent', id: agentId }, AGENT_SMS),
      ...shopIds.map(id => given('sms-package', { kind: 'merchant', id }, SHOP_SMS)),
    ]),
  ])
  return { shopIds, belowId, productId }
}

/** What the page shows of each before it is paid. */
export async function pricesAt(url: string, { cookie, shopId }: Dealer): Promise<Prices> {
  const asked = await fetch(`${url}/api/merchants/${shopId}/sms-packages`, { headers: { cookie } })
  const { rows } = (await asked.json()) as { rows: { id: number; pieces: number; totalCents: number }[] }
  const [pack] = rows
  if (!pack) throw new Error('no SMS package is sold')
  const { totalCents: renewal } = await quote(url, cookie, shopId)
  return {
    ...{ package: pack.totalCents, packageId: pack.id, pieces: pack.pieces, renewal },
    service: await servicePrice(url, cookie, shopId),
  }
}

/** A price that does not stand is refused with the one that does. */
async function servicePrice(url: string, cookie: string, shopId: number): Promise<number> {
  const answer = await fetch(`${url}/api/merchants/${shopId}/services`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-requested-with': 'partner-office',
      'idempotency-key': crypto.randomUUID(),
      cookie,
    },
    body: JSON.stringify({ items: [SERVICE], totalCents: 0 }),
  })
  const { data } = (await answer.json()) as { data?: { totalCents?: number } }
  if (!data?.totalCents) throw new Error(`the price of a service is not told: ${answer.status}`)
  return data.totalCents
}

async function quote(
  url: string,
  cookie: string,
  merchantId: number,
): Promise<{ orderNo: string; totalCents: number }> {
  const asked = {
    merchantId,
    versionId: VERSION,
    scope: 'head',
    branchIds: [],
    term: 'year',
    periods: 1,
    shops: 1,
  }
  const answer = await call(`${url}/api/purchases/quotes`, cookie, { ...asked, remark: '' })
  return (await answer.json()) as { orderNo: string; totalCents: number }
}

/** Nothing is paid by a quote, so that one without an answer is asked for anew. */
async function quoted(url: string, cookie: string, shopId: number, giveUpAt: number): Promise<string | null> {
  while (Date.now() < giveUpAt) {
    try {
      return (await quote(url, cookie, shopId)).orderNo
    } catch (error) {
      if (error instanceof Error && / answered 4(?!29)/.test(error.message)) throw error
      await pause(100 + Math.random() * 300)
    }
  }
  return null
}

/** What was bought is taken back as often as not; else one of the kinds, each as often. */
export async function nextDeal(place: Place, dealer: Dealer): Promise<Deal | null> {
  const any = DEAL_KINDS[Math.floor(Math.random() * DEAL_KINDS.length)] as DealKind
  const kind = dealer.bought !== null && Math.random() < 0.5 ? 'undo' : any
  const made: Made | null = await DEALS[kind](place, dealer)
  return made && { kind, ...made }
}

type Told = {
  kind: DealKind
  key: string
  answer: string
  moves: readonly Move[]
  documentIn: Deal['documentIn']
}

/** Each acknowledged deal has left its movements once, no other number has any, and agents and shops hold what that comes to. */
export async function judgeDeals(
  client: pg.Client,
  place: { agentId: number; belowId: number; shopIds: readonly number[] },
  deals: readonly Told[],
  otherDocuments: ReadonlySet<string>,
): Promise<{ breaches: string[]; figures: Record<string, number> }> {
  const breaches: string[] = []
  const { rows } = await client.query<{ document: string; line: string }>(
    `select t.document, concat_ws(' ', t.kind, t.asset, t.amount, coalesce(nullif(o.book, ''), o.owner_kind || ' ' || o.owner_id),
       coalesce(nullif(i.book, ''), i.owner_kind || ' ' || i.owner_id)) as line
     from ledger_transfers t join ledger_accounts o on o.id = t.from_account_id join ledger_accounts i on i.id = t.to_account_id
     where t.agent_id = any ($1) and t.document <> 'START' order by t.id`,
    [[place.agentId, place.belowId]],
  )
  const moved = Map.groupBy(rows, ({ document }) => document)
  // What is taken back is judged with what it takes back.
  const undone = new Set(
    deals
      .filter(({ kind }) => kind === 'undo')
      .map(({ answer, documentIn }) => documentIn(JSON.parse(answer))),
  )
  const known = new Set(otherDocuments)
  const held = new Map<string, number>()
  for (const { kind, key, answer, moves, documentIn } of deals) {
    const document = documentIn(JSON.parse(answer) as Answer)
    if (known.has(document) && kind !== 'undo' && !undone.has(document))
      breaches.push(`${document} is answered twice`)
    known.add(document)
    for (const [, asset, amount, from, to] of kind === 'service' && undone.has(document) ? [] : moves) {
      held.set(`${from} ${asset}`, (held.get(`${from} ${asset}`) ?? 0) - amount)
      held.set(`${to} ${asset}`, (held.get(`${to} ${asset}`) ?? 0) + amount)
    }
    if (kind === 'service' && undone.has(document)) continue
    const wanted = moves.map(move => move.join(' ')).join(', ')
    const found = (moved.get(document) ?? []).map(({ line }) => line).join(', ')
    if (found !== wanted)
      breaches.push(`${kind} ${key} (${document}) has moved "${found}", and not "${wanted}"`)
  }
  for (const document of moved.keys())
    if (!known.has(document)) breaches.push(`${document} has moved, and nobody was told of it`)
  const { rows: accounts } = await client.query<{ account: string; balance: string }>(
    `select owner_kind || ' ' || owner_id || ' ' || asset as account, balance from ledger_accounts
     where asset = 'sms' and owner_kind <> 'vendor' or owner_kind = 'agent' and owner_id = $1`,
    [place.belowId],
  )
  const began = new Map([
    [`agent ${place.agentId} sms`, AGENT_SMS],
    ...place.shopIds.map(id => [`merchant ${id} sms`, SHOP_SMS] as const),
  ])
  for (const { account, balance } of accounts) {
    const wanted = (began.get(account) ?? 0) + (held.get(account) ?? 0)
    if (Number(balance) !== wanted) breaches.push(`${account} holds ${balance}, not ${wanted}`)
  }
  const counts = DEAL_KINDS.map(kind => [kind, deals.filter(deal => deal.kind === kind).length] as const)
  for (const [kind, count] of counts) if (count === 0) breaches.push(`nobody made a deal of the kind ${kind}`)
  return {
    breaches,
    figures: Object.fromEntries(counts.map(([kind, count]) => [kind.replace('-', '_'), count])),
  }
}

/** What these deals took out of the wallet, and put into it. */
export function walletOf(deals: readonly Pick<Told, 'kind' | 'moves'>[], agentId: number): number {
  let sum = 0
  // An undo names what it takes back, which counted when it was bought.
  for (const { kind, moves } of deals)
    for (const [, asset, amount, from, to] of kind === 'undo' ? moves.slice(1) : moves)
      if (asset === 'token')
        sum += (to === `agent ${agentId}` ? amount : 0) - (from === `agent ${agentId}` ? amount : 0)
  return sum
}
