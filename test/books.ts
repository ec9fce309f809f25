// What each kind of movement may move, written down beside the product and not read from it: an office's transfers are held against it, and
// random sequences of every kind are reckoned by it while the ledger posts them.
import fc from 'fast-check'
import type pg from 'pg'
import type { TransferKind } from '#features/money/ledger/rules.ts'

/** An asset, out of which account, into which: those of agents and merchants hold a balance, the others are the vendor's books. */
export type Flow = readonly [asset: 'token' | 'sms' | 'deposit', from: Place, to: Place]
type Place = 'agent' | 'merchant' | 'issued' | 'revenue' | 'sms-supplier' | 'payment-clearing'

const SOLD = [['token', 'agent', 'revenue']] as const
/** In one call, and as much out of the books as into them. */
const HANDED_OVER = [
  ['token', 'agent', 'payment-clearing'],
  ['token', 'payment-clearing', 'agent'],
] as const

/** Of `undo`, which takes any of them back, see `strangeTransfers`. */
export const FLOWS: Readonly<Record<Exclude<TransferKind, 'undo'>, readonly Flow[]>> = {
  credit: [
    ['token', 'issued', 'agent'],
    ['sms', 'sms-supplier', 'agent'],
  ],
  'version-new': SOLD,
  'version-renew': SOLD,
  'version-upgrade': SOLD,
  service: SOLD,
  hardware: SOLD,
  'sms-open': [['sms', 'agent', 'merchant']],
  'sms-gift': [['sms', 'agent', 'merchant']],
  'sms-package': [...SOLD, ['sms', 'sms-supplier', 'merchant']],
  'sms-recall': [['sms', 'merchant', 'agent']],
  allocate: HANDED_OVER,
  'token-recharge': [['token', 'issued', 'agent']],
  'sms-recharge': [['sms', 'sms-supplier', 'agent']],
  'recharge-refund': [
    ['token', 'agent', 'issued'],
    ['sms', 'agent', 'sms-supplier'],
  ],
  'sms-send': [
    ['sms', 'agent', 'sms-supplier'],
    ['sms', 'merchant', 'sms-supplier'],
  ],
  'sms-send-return': [
    ['sms', 'sms-supplier', 'agent'],
    ['sms', 'sms-supplier', 'merchant'],
  ],
  closing: [
    ...HANDED_OVER,
    ['sms', 'agent', 'payment-clearing'],
    ['sms', 'payment-clearing', 'agent'],
    ['token', 'agent', 'issued'],
    ['sms', 'agent', 'sms-supplier'],
  ],
  'deposit-paid': [['deposit', 'payment-clearing', 'merchant']],
  'deposit-returned': [['deposit', 'merchant', 'payment-clearing']],
  'deposit-kept': [['deposit', 'merchant', 'revenue']],
}
export const FLOWING_KINDS = Object.keys(FLOWS) as (keyof typeof FLOWS)[]

/** Transfers that are none of these, by kind and flow; of an undo those that are not the whole way back of what they name. */
export async function strangeTransfers(client: pg.Client | pg.Pool | pg.PoolClient): Promise<string[]> {
  const known = FLOWING_KINDS.flatMap(kind => FLOWS[kind].map(flow => [kind, ...flow].join(' ')))
  const { rows } = await client.query<{ line: string }>(
    `select distinct concat_ws(' ', t.kind, t.asset, coalesce(nullif(o.book, ''), o.owner_kind), coalesce(nullif(i.book, ''), i.owner_kind)) as line
     from ledger_transfers t join ledger_accounts o on o.id = t.from_account_id join ledger_accounts i on i.id = t.to_account_id
       left join ledger_transfers undone on undone.id = t.reverses_id
     where case when t.kind = 'undo' then undone.id is null or undone.reverses_id is not null or undone.asset <> t.asset
         or undone.from_account_id <> t.to_account_id or undone.to_account_id <> t.from_account_id
       else concat_ws(' ', t.kind, t.asset, coalesce(nullif(o.book, ''), o.owner_kind), coalesce(nullif(i.book, ''), i.owner_kind)) <> all ($1) end
     order by 1`,
    [known],
  )
  return rows.map(({ line }) => line)
}

/** `of`: which agent or shop, where there are two. `nth`: which of those that stand. */
export type Step =
  | { kind: keyof typeof FLOWS; flow: number; of: 0 | 1; amount: number }
  | { kind: 'undo'; nth: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom(...FLOWING_KINDS),
      flow: fc.nat(5),
      of: fc.constantFrom(0 as const, 1 as const),
      amount: fc.integer({ min: 1, max: 900 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('undo' as const), nth: fc.nat(999) }) },
)
export const movementsOf = (length: number): fc.Arbitrary<Step[]> =>
  fc.array(step, { minLength: length, maxLength: length })

/** Two agents, the first of which has two shops. */
export type Owners = { agents: readonly [number, number]; shops: readonly [number, number] }
export type Posted = { posted: number; undone: number; refused: number; kinds: Set<TransferKind> }

type Movement = {
  kind: TransferKind
  asset: Flow[0]
  amount: number
  from: string
  to: string
  undoes: number | null
}

/** Of its two accounts what they hold then, a book nothing; null where it is refused. */
type Told = [number | null, number | null] | null

/** What agents and shops are lent to take back what crosses: a gift and a recall, each of which needs what the other would give back. */
const LENT = 1_000_000
const LOANS: readonly (readonly [kind: keyof typeof FLOWS, flow: number])[] = [
  ['credit', 0],
  ['credit', 1],
  ['sms-package', 1],
  ['deposit-paid', 0],
]

/** What is to be posted, and what the ledger must say of each: by sums alone. */
class Reckoning {
  readonly movements: Movement[] = []
  readonly wanted: Told[] = []
  readonly found: Posted = { posted: 0, undone: 0, refused: 0, kinds: new Set() }
  readonly #held = new Map<string, number>()
  /** Which were posted, and whether they still stand. */
  readonly #stands = new Map<number, boolean>()
  readonly #owners: Owners

  constructor(owners: Owners) {
    this.#owners = owners
  }

  post(kind: keyof typeof FLOWS, flow: number, of: 0 | 1, amount: number): void {
    const flows = FLOWS[kind]
    const [asset, from, to] = flows[flow % flows.length] as Flow
    // What passes between a shop and its agent is of the agent that has the shops.
    const agent = this.#owners.agents[[from, to].includes('merchant') ? 0 : of]
    const named = (place: Place) => {
      if (place === 'agent') return `agent ${agent}`
      return place === 'merchant' ? `merchant ${this.#owners.shops[of]}` : place
    }
    if (!this.#add({ kind, asset, amount, from: named(from), to: named(to), undoes: null })) return
    this.#stands.set(this.movements.length - 1, true)
    this.found.posted++
  }

  undo(nth: number): void {
    const all = [...this.#stands.keys()]
    const at = all[nth % Math.max(1, all.length)]
    if (at !== undefined) this.#undo(at)
  }

  /** The last first; what cannot be is tried again behind what can, and at last with what is lent for it. */
  undoAll(): void {
    let lent: number[] = []
    const rest = () => this.#standing().filter(at => !lent.includes(at))
    for (let left = rest(); left.length > 0; left = rest()) {
      for (const at of left.toReversed()) this.#undo(at)
      if (rest().length < left.length) continue
      if (lent.length > 0) throw new Error(`${left.length} movements cannot be taken back`)
      for (const [kind, flow] of LOANS) for (const nth of [0, 1] as const) this.post(kind, flow, nth, LENT)
      lent = this.#standing().filter(at => !left.includes(at))
    }
    for (const at of lent) this.#undo(at)
  }

  /** Accounts that do not hold what they began with. */
  left(): string[] {
    return [...this.#held].flatMap(([account, amount]) => (amount === 0 ? [] : [`${account} ${amount}`]))
  }

  #standing(): number[] {
    return [...this.#stands].flatMap(([at, stands]) => (stands ? [at] : []))
  }

  #undo(at: number): void {
    const { asset, amount, from, to } = this.movements[at] as Movement
    if (!this.#add({ kind: 'undo', asset, amount, from: to, to: from, undoes: at })) return
    this.#stands.set(at, false)
    this.found.undone++
  }

  #add(movement: Movement): boolean {
    const { kind, asset, amount, from, to, undoes } = movement
    const holds = (account: string) => this.#held.get(`${account} ${asset}`) ?? 0
    // Nobody's own account falls below nothing, and nothing is taken back twice.
    const isRefused =
      (isOwn(from) && holds(from) < amount) || (undoes !== null && this.#stands.get(undoes) === false)
    if (isRefused) this.found.refused++
    else {
      this.#held.set(`${from} ${asset}`, holds(from) - amount)
      this.#held.set(`${to} ${asset}`, holds(to) + amount)
    }
    const told = (account: string) => (isOwn(account) ? holds(account) : null)
    this.wanted.push(isRefused ? null : [told(from), told(to)])
    this.movements.push(movement)
    this.found.kinds.add(kind)
    return !isRefused
  }
}

const isOwn = (account: string) => /\d/.test(account)

/** Posts each in turn, and answers of each as `Told`. */
const POSTING = `
  create or replace function pg_temp.post_each(movements jsonb) returns jsonb language plpgsql as $post$
  declare
    movement jsonb;
    ids bigint[] := '{}';
    posted bigint[];
    told jsonb := '[]';
  begin
    for movement in select value from jsonb_array_elements(movements) loop
      begin
        posted := ledger_post(jsonb_build_array(movement || jsonb_build_object('reversesId', ids[(movement->>'undoes')::int + 1])));
        ids := ids || posted;
        told := told || jsonb_build_array((select jsonb_agg(balance order by place) from ledger_transfers t
          cross join lateral (values (1, t.from_account_id), (2, t.to_account_id)) as of (place, account_id)
          join ledger_accounts a on a.id = of.account_id where t.id = posted[1]));
      exception when sqlstate 'PO001' or unique_violation then
        ids := ids || null::bigint;
        told := told || 'null'::jsonb;
      end;
    end loop;
    return told;
  end $post$`

/**
 * Posts a sequence on a connection of the owner within a transaction that the caller ends, and takes back what still stands. Throws where
 * ledger and reckoning differ after any step, or where it does not end where it began.
 */
export async function postSequence(
  client: pg.ClientBase,
  owners: Owners,
  steps: readonly Step[],
): Promise<Posted> {
  const reckoning = new Reckoning(owners)
  for (const one of steps)
    if (one.kind === 'undo') reckoning.undo(one.nth)
    else reckoning.post(one.kind, one.flow, one.of, one.amount)
  reckoning.undoAll()
  const { movements, wanted, found } = reckoning
  await client.query(POSTING)
  const { rows } = await client.query<{ told: Told[] }>('select pg_temp.post_each($1) as told', [
    JSON.stringify(movements.map(movement => asPosted(movement, owners))),
  ])
  const told = (rows[0]?.told ?? []).map(of => JSON.stringify(of))
  for (const [at, of] of wanted.entries())
    if (told[at] !== JSON.stringify(of))
      throw new Error(
        `movement ${at}, ${JSON.stringify(movements[at])}: the ledger says ${told[at]}, and not ${JSON.stringify(of)}`,
      )
  const left = reckoning.left()
  if (left.length > 0) throw new Error(`it does not end where it began: ${left.join(', ')}`)
  return found
}

function asPosted({ kind, asset, amount, from, to, undoes }: Movement, owners: Owners) {
  const owner = (account: string) => {
    const [name = '', id] = account.split(' ')
    return id === undefined ? { kind: 'vendor', book: name } : { kind: name, id: Number(id) }
  }
  const idIn = (name: string) =>
    [from, to].flatMap(account => (account.startsWith(name) ? [Number(account.split(' ')[1])] : []))[0]
  return {
    ...{ kind, asset, amount, from: owner(from), to: owner(to), undoes },
    ...{ document: 'SEQUENCE', payMethod: 'balance', actorId: 1, actorName: '测试', description: kind },
    agentId: idIn('agent') ?? owners.agents[0],
    merchantId: idIn('merchant') ?? null,
  }
}
