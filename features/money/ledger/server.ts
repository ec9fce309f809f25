import { and, eq, gt, sql } from 'drizzle-orm'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { databaseError } from '#server/db.ts'
import { Refusal, refuse } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import { ledger } from './contract.ts'
import {
  type Asset,
  assetText,
  type Book,
  CREDITED_NAMES,
  creditedWords,
  LEDGER_REFUSALS,
  type PayMethod,
  refuseCredit,
  TOP_UP_FAILED,
  type TransferKind,
} from './rules.ts'
import { listChanges } from './server-changes.ts'
import { ledgerAccounts } from './tables.ts'

export type Owner =
  | { kind: 'agent'; id: number }
  | { kind: 'merchant'; id: number }
  | { kind: 'vendor'; book: Book }

export type Movement = {
  kind: TransferKind
  asset: Asset
  /** 0 or above, in the asset's smallest unit. */
  amount: number
  from: Owner
  to: Owner
  /** Order or document number that the movement belongs to. */
  document: string
  merchantId?: number
  payMethod: PayMethod
  /** The agent whose money moves. */
  agentId: number
  description: string
  remark?: string
  reversesId?: number
}

/**
 * Posts movements in one call of the database, last before commit: accounts are locked in id order, balances checked,
 * entries and hashes written. Refuses INSUFFICIENT or SMS_INSUFFICIENT with `missing` in the asset's unit, and
 * AGENT_SUSPENDED where tokens of a suspended agency would go. What is given for nothing moves nothing. Answers the
 * transfers' ids.
 */
export async function post(ctx: Ctx, given: readonly Movement[]): Promise<number[]> {
  const movements = given.filter(({ amount }) => amount !== 0)
  if (movements.length === 0) return []
  const by = { actorId: ctx.actor.accountId, actorName: ctx.actor.name }
  const payload = JSON.stringify(movements.map(movement => ({ ...movement, ...by })))
  try {
    const { rows } = await ctx.client.query<{ posted: string[] }>({
      name: 'ledger_post',
      text: 'select ledger_post($1::jsonb) as posted',
      values: [payload],
    })
    return (rows[0]?.posted ?? []).map(Number)
  } catch (error) {
    throw asRefusal(error, movements)
  }
}

/** Credit that a shop was to get is a top-up in the documents' words; of any other use they say nothing. */
const isTopUp = ({ asset, from, to }: Movement) =>
  asset === 'sms' && from.kind === 'agent' && to.kind === 'merchant'

function asRefusal(error: unknown, movements: readonly Movement[]): unknown {
  const detail = databaseError(error)
  if (detail?.code === 'PO002') return new Refusal('AGENT_SUSPENDED', LEDGER_REFUSALS.AGENT_SUSPENDED)
  if (detail?.code !== 'PO001') return error
  const data = JSON.parse(detail.detail ?? '{}') as { asset: Asset; balance: number; missing: number }
  const code = data.asset === 'sms' ? 'SMS_INSUFFICIENT' : 'INSUFFICIENT'
  const isOfTopUp = code === 'SMS_INSUFFICIENT' && movements.some(isTopUp)
  return new Refusal(code, isOfTopUp ? TOP_UP_FAILED : LEDGER_REFUSALS[code], data)
}

/** Balances of an agent: tokens in 1/100, SMS in pieces; 0 where nothing was ever posted. */
export async function balancesOf(ctx: Ctx, agentId: number): Promise<{ tokenCents: number; sms: number }> {
  const rows = await ctx
    .prepared('balances', db =>
      db
        .select({ asset: ledgerAccounts.asset, balance: ledgerAccounts.balance })
        .from(ledgerAccounts)
        .where(
          and(eq(ledgerAccounts.ownerKind, 'agent'), eq(ledgerAccounts.ownerId, sql.placeholder('agentId'))),
        )
        .prepare('balances'),
    )
    .execute({ agentId })
  const of = (asset: Asset) => rows.find(row => row.asset === asset)?.balance ?? 0
  return { tokenCents: of('token'), sms: of('sms') }
}

export function wallet(ctx: Ctx): Promise<Out<typeof ledger.wallet>> {
  return balancesOf(ctx, ctx.actor.agentId)
}

export async function changeActors(ctx: Ctx): Promise<Out<typeof ledger.changeActors>> {
  const rows = await ctx.db
    .select({ id: accounts.id, name: accounts.name })
    .from(accounts)
    .where(and(eq(accounts.agentId, ctx.actor.agentId), gt(accounts.id, 0)))
    .orderBy(accounts.id)
    .limit(100)
  return { rows }
}

export async function credit(ctx: Ctx, input: In<typeof ledger.credit>): Promise<Out<typeof ledger.credit>> {
  refuse(refuseCredit(input), LEDGER_REFUSALS)
  const [agent] = await ctx.db
    .select({ name: agents.companyName })
    .from(agents)
    .where(and(eq(agents.id, input.agentId), ownRows(ctx, agents.id)))
  if (!agent) throw new Refusal('AGENT_UNKNOWN', LEDGER_REFUSALS.AGENT_UNKNOWN)
  const documentNo = await nextDocumentNo(ctx)
  const reason = input.reason.trim()
  const isToken = input.asset === 'token'
  const amount = assetText(input.asset, input.amount)
  ctx.about(input.agentId)
  ctx.note(`${agent.name} (${input.agentId})`, [
    { name: CREDITED_NAMES[input.asset], before: null, after: amount },
    { name: '原因', before: null, after: reason },
  ])
  await post(ctx, [
    {
      kind: 'credit',
      asset: input.asset,
      amount: input.amount,
      from: { kind: 'vendor', book: isToken ? 'issued' : 'sms-supplier' },
      to: { kind: 'agent', id: input.agentId },
      document: documentNo,
      payMethod: 'gift',
      agentId: input.agentId,
      description: '运营充值',
      remark: reason,
    },
  ])
  await notify(ctx, {
    ...creditedWords(input.asset, input.amount, reason),
    agentId: input.agentId,
    holding: 'ledger.changes',
    exceptActor: true,
    topic: 'Credit_Notify',
    link: `/admin/order/${documentNo}`,
    args: { documentNo, asset: input.asset, amount: input.amount },
  })
  const after = await balancesOf(ctx, input.agentId)
  return { documentNo, balanceAfter: isToken ? after.tokenCents : after.sms }
}

/** A number for an order or document: sortable by time, distinct in its last 8 characters. */
export async function nextDocumentNo(ctx: Ctx): Promise<string> {
  const { rows } = await ctx.client.query<{ no: string }>('select next_order_no() as no')
  return (rows[0] as { no: string }).no
}

export const ledgerRouter = serve(ledger, { wallet, changes: listChanges, changeActors, credit })
