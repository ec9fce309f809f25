// One order by its number, whichever kind it is: each kind is a record of its own feature and a line here.
import { and, eq, sql } from 'drizzle-orm'
import {
  type Details,
  type DetailsKind,
  MOVEMENT_DETAILS,
  movementsTable,
  numbersLike,
} from '#features/money/ledger/server-details.ts'
import { agents } from '#features/office/agents/tables.ts'
import { DEPOSIT_DETAILS, DEPOSIT_PAYMENT_DETAILS } from '#features/sales/deposits/server-rows.ts'
import { HARDWARE_DETAILS } from '#features/sales/hardware/server-details.ts'
import { contentBeside } from '#features/sales/orders/rules.ts'
import { VERSION_DETAILS } from '#features/sales/orders/server-details.ts'
import { paymentTables, TOKEN_DETAILS } from '#features/sales/payments/server-details.ts'
import { SERVICE_DETAILS } from '#features/sales/services/server-details.ts'
import { ONLINE_RENEWAL_DETAILS } from '#features/sales/shop-pages/server-renewals.ts'
import { SMS_DETAILS } from '#features/sales/sms/desk/server-details.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { together } from '#server/db.ts'
import { Refusal, refuse } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import { orderDetails as contract } from './contract.ts'
import { ORDER_DETAILS_REFUSALS } from './rules.ts'
import { BATCH_DETAILS } from './server-batch.ts'
import { listBatches } from './server-batches.ts'
import { requestsTable, undoRefusalOf } from './server-undo.ts'

/** What merely moved comes last: every order that was paid moved something too. */
const KINDS: readonly DetailsKind[] = [
  VERSION_DETAILS,
  SERVICE_DETAILS,
  SMS_DETAILS,
  HARDWARE_DETAILS,
  TOKEN_DETAILS,
  BATCH_DETAILS,
  ONLINE_RENEWAL_DETAILS,
  DEPOSIT_DETAILS,
  DEPOSIT_PAYMENT_DETAILS,
  MOVEMENT_DETAILS,
]

const unknown = () => new Refusal('ORDER_UNKNOWN', ORDER_DETAILS_REFUSALS.ORDER_UNKNOWN)

const find: Verb<typeof contract.find> = async (ctx, { orderNo: asked }) => {
  const { kind, orderNo } = await locate(ctx, asked)
  const [details, payment, movements] = await together([
    kind.find(ctx, orderNo),
    paymentTables(ctx, orderNo),
    ctx.actor.permissions.has('ledger.changes') ? movementsTable(ctx, orderNo) : [],
  ])
  if (!details) throw unknown()
  const [names, requests, undo] = await together([
    namesOf(ctx, details),
    requestsTable(ctx, details),
    undoOf(ctx, details),
  ])
  const title = contentBeside(details.title, names.shopName)
  return { ...details, ...names, title, payment, movements, requests, undo }
}

/** The number that is this, or the one that ends so, and its kind: one statement. A kind that the account may not see is passed over. */
async function locate(ctx: Ctx, asked: string): Promise<{ kind: DetailsKind; orderNo: string }> {
  const kinds = KINDS.filter(kind => mayOpen(ctx, kind))
  if (kinds.length === 0) throw unknown()
  const each = kinds.map(({ numbers }, at) => sql`(${numbersLike(ctx, numbers, asked, at)})`)
  const { rows } = await ctx.db.execute<{ at: number; no: string }>(sql.join(each, sql` union all `))
  if (new Set(rows.map(({ no }) => no)).size > 1) refuse('ORDER_AMBIGUOUS', ORDER_DETAILS_REFUSALS)
  const [first] = rows.toSorted((a, b) => a.at - b.at)
  const kind = first && kinds[first.at]
  if (!kind) throw unknown()
  return { kind, orderNo: first.no }
}

function mayOpen(ctx: Ctx, { permissions }: DetailsKind): boolean {
  return permissions.some(permission => ctx.actor.permissions.has(permission))
}

/** A shop that belongs to another agent now is not named to the one who sold it. */
async function namesOf(ctx: Ctx, { agentId, merchantId }: Details) {
  const [row] = await ctx.db
    .select({ agentName: agents.companyName, shopName: merchants.shopName })
    .from(agents)
    .leftJoin(
      merchants,
      merchantId === null ? sql`false` : and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId)),
    )
    .where(and(eq(agents.id, agentId), ownRows(ctx, agents.id)))
  return { agentName: row?.agentName ?? '', shopName: row?.shopName ?? null }
}

async function undoOf(ctx: Ctx, { undoKind, orderNo }: Details) {
  if (undoKind === null || !ctx.actor.permissions.has('settlement.undo')) return null
  return { refusal: await undoRefusalOf(ctx, { kind: undoKind, orderNo }) }
}

export const orderDetailsRouter = serve(contract, { find, batches: listBatches })
