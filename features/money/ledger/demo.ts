// Demo data of the ledger: what the vendor credits agents with. How the demo of other features posts.
import { DEMO_AGENTS, demoOperator, demoOwner, type Person } from '#features/office/access/demo.ts'
import { tell } from '#features/office/notices/demo.ts'
import { formatInstant } from '#kit/time.ts'
import { type Demo, kept, workHour } from '#server/demo.ts'
import { type Asset, type CreditedAsset, creditedWords } from './rules.ts'
import type { Movement, Owner } from './server.ts'

/** `reverses`: the movement that it takes back. */
type Posted = Omit<Movement, 'reversesId'> & { at: string; by: Person | null; reverses?: Posted }

const ledgerOf = kept(() => ({ posted: [] as Posted[], balances: new Map<string, number>(), numbers: 0 }))
const keyOf = (owner: Owner, asset: Asset) =>
  `${owner.kind} ${'id' in owner ? owner.id : owner.book} ${asset}`

/** The number of an order that is made at this moment. */
export function demoNo(demo: Demo, at: string): string {
  const ledger = ledgerOf(demo)
  ledger.numbers++
  return formatInstant(at).replaceAll(/\D/g, '') + String(ledger.numbers).padStart(8, '0')
}

/** What an owner holds as things stand in the history. */
export function demoBalance(demo: Demo, owner: Owner, asset: Asset): number {
  return ledgerOf(demo).balances.get(keyOf(owner, asset)) ?? 0
}

/** Is posted once all has happened. `by`: null for the program. An agent that has not enough is credited first. */
export function post(demo: Demo, movement: Posted): Posted {
  const { posted, balances } = ledgerOf(demo)
  topUp(demo, movement)
  posted.push(movement)
  const { asset, amount, from, to } = movement
  for (const [owner, change] of [
    [from, -amount],
    [to, amount],
  ] as const)
    balances.set(keyOf(owner, asset), demoBalance(demo, owner, asset) + change)
  return movement
}

function topUp(demo: Demo, { from, asset, amount, at }: Posted): void {
  if (from.kind !== 'agent' || asset === 'deposit') return
  const missing = amount - demoBalance(demo, from, asset)
  const step = TOP_UP[asset]
  if (missing > 0)
    credit(demo, {
      agentId: from.id,
      asset,
      amount: Math.ceil(missing / step) * step,
      at,
      remark: '线下汇款',
    })
}

/** Takes movements back as an undo does. */
export function reverse(demo: Demo, movements: Posted[], at: string, by: Person, remark: string): void {
  for (const movement of movements)
    post(demo, {
      ...movement,
      at,
      by,
      remark,
      kind: 'undo',
      from: movement.to,
      to: movement.from,
      description: `撤销 ${movement.description}`,
      reverses: movement,
    })
}

/** Posts all that has happened, in as few calls as reversals allow: they name a transfer that has to be there. */
export async function writeLedger(demo: Demo): Promise<void> {
  const { posted, numbers } = ledgerOf(demo)
  const ids = new Map<Posted, number>()
  let waiting: Posted[] = []
  const flush = async () => {
    const { rows } = await demo.client.query<{ ids: string[] }>(
      'select ledger_post_at($1::jsonb, $2::timestamptz[]) as ids',
      [
        JSON.stringify(
          waiting.map(({ at: _, by, reverses, ...movement }) => ({
            ...movement,
            actorId: by?.id ?? 0,
            actorName: by?.name ?? '系统',
            reversesId: reverses && ids.get(reverses),
          })),
        ),
        waiting.map(({ at }) => at),
      ],
    )
    for (const [i, movement] of waiting.entries()) ids.set(movement, Number(rows[0]?.ids[i]))
    waiting = []
  }
  for (const movement of posted) {
    if (movement.reverses && !ids.has(movement.reverses)) await flush()
    waiting.push(movement)
  }
  if (waiting.length > 0) await flush()
  await demo.client.query(`select setval('order_numbers', $1)`, [numbers])
}

/** Days ago, whole tokens and pieces of SMS. */
const CREDITS: Record<number, [days: number, tokens: number, sms: number, remark: string][]> = {
  1: [[899, 1_000_000, 1_000_000, '运营备用']],
  [DEMO_AGENTS.first]: [
    [880, 60_000, 30_000, '签约首批预存'],
    [560, 30_000, 10_000, '年度返点'],
    [335, 40_000, 0, '线下汇款'],
    [210, 25_000, 5_000, '季度返点'],
    [150, 20_000, 0, '线下汇款'],
    [96, 36_000, 0, '线下汇款'],
    [24, 12_000, 3_000, '季度返点'],
  ],
  [DEMO_AGENTS.other]: [
    [820, 40_000, 15_000, '签约首批预存'],
    [300, 20_000, 5_000, '线下汇款'],
    [75, 15_000, 2_000, '季度返点'],
  ],
  [DEMO_AGENTS.below]: [[750, 8_000, 2_000, '签约首批预存']],
  [DEMO_AGENTS.gone]: [[600, 1_000, 0, '签约首批预存']],
  [DEMO_AGENTS.fresh]: [[126, 5_000, 1_000, '签约首批预存']],
}

export function demo(demo: Demo): void {
  for (const [agentId, credits] of Object.entries(CREDITS))
    for (const [days, tokens, sms, remark] of credits)
      demo.history.at(workHour(demo, days), at => {
        credit(demo, { agentId: Number(agentId), asset: 'token', amount: tokens * 100, at, remark })
        credit(demo, { agentId: Number(agentId), asset: 'sms', amount: sms, at, remark })
      })
}

const TOP_UP: Record<CreditedAsset, number> = { token: 500_000, sms: 2_000 }
type Credit = { agentId: number; asset: CreditedAsset; amount: number; at: string; remark: string }

function credit(demo: Demo, { agentId, asset, amount, at, remark }: Credit): void {
  if (amount === 0) return
  const document = demoNo(demo, at)
  post(demo, {
    kind: 'credit',
    asset,
    amount,
    from: { kind: 'vendor', book: asset === 'token' ? 'issued' : 'sms-supplier' },
    to: { kind: 'agent', id: agentId },
    document,
    payMethod: 'gift',
    agentId,
    at,
    by: demoOperator(demo),
    description: '运营充值',
    remark,
  })
  tell(demo, demoOwner(demo, agentId), at, {
    ...creditedWords(asset, amount, remark),
    topic: 'Credit_Notify',
    link: `/admin/order/${document}`,
    args: { documentNo: document, asset, amount },
  })
}
