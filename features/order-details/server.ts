// One order by its number, whichever kind it is: each kind is a record of its own feature and a line here.
import { and, eq } from 'drizzle-orm'
import { agents } from '#features/agents/tables.ts'
import { HARDWARE_DETAILS } from '#features/hardware/server-details.ts'
import { SHOWN_ORDER_CHARS } from '#features/ledger/rules.ts'
import {
  type Details,
  type DetailsKind,
  MOVEMENT_DETAILS,
  movementsTable,
  numbersEnding,
} from '#features/ledger/server-details.ts'
import { merchants } from '#features/merchants/tables.ts'
import { VERSION_DETAILS } from '#features/orders/server-details.ts'
import { paymentTables, TOKEN_DETAILS } from '#features/payments/server-details.ts'
import { SERVICE_DETAILS } from '#features/services/server-details.ts'
import { SMS_DETAILS } from '#features/sms-desk/server-details.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { refuse } from '#server/refuse.ts'
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
  MOVEMENT_DETAILS,
]

const find: Verb<typeof contract.find> = async (ctx, { orderNo: asked }) => {
  const orderNo = asked.length === SHOWN_ORDER_CHARS ? await wholeNumber(ctx, asked) : asked
  const details = await detailsOf(ctx, orderNo)
  if (!details) refuse('ORDER_UNKNOWN', ORDER_DETAILS_REFUSALS)
  const found = details as Details
  return {
    ...found,
    ...(await namesOf(ctx, found)),
    payment: await paymentTables(ctx, orderNo),
    movements: ctx.actor.permissions.has('ledger.changes') ? await movementsTable(ctx, orderNo) : [],
    requests: await requestsTable(ctx, found),
    undo: await undoOf(ctx, found),
  }
}

/** A kind that the account may not see is passed over; so is what moved by it. */
async function detailsOf(ctx: Ctx, orderNo: string): Promise<Details | null> {
  for (const kind of KINDS) {
    if (!mayOpen(ctx, kind)) continue
    const details = await kind.find(ctx, orderNo)
    if (details) return details
  }
  return null
}

function mayOpen(ctx: Ctx, { permissions }: DetailsKind): boolean {
  return permissions.some(permission => ctx.actor.permissions.has(permission))
}

/** The one number that ends so. */
async function wholeNumber(ctx: Ctx, tail: string): Promise<string> {
  const found = new Set<string>()
  for (const kind of KINDS)
    if (mayOpen(ctx, kind)) for (const no of await numbersEnding(ctx, kind.numbers, tail)) found.add(no)
  if (found.size > 1) refuse('ORDER_AMBIGUOUS', ORDER_DETAILS_REFUSALS)
  return [...found][0] ?? tail
}

/** A shop that belongs to another agent now is not named to the one who sold it. */
async function namesOf(ctx: Ctx, { agentId, merchantId }: Details) {
  const [agent] = await ctx.db
    .select({ name: agents.companyName })
    .from(agents)
    .where(and(eq(agents.id, agentId), ownRows(ctx, agents.id)))
  const [shop] =
    merchantId === null
      ? []
      : await ctx.db
          .select({ name: merchants.shopName })
          .from(merchants)
          .where(and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId)))
  return { agentName: agent?.name ?? '', shopName: shop?.name ?? null }
}

async function undoOf(ctx: Ctx, { undoKind, orderNo }: Details) {
  if (undoKind === null || !ctx.actor.permissions.has('settlement.undo')) return null
  return { refusal: await undoRefusalOf(ctx, { kind: undoKind, orderNo }) }
}

export const orderDetailsRouter = serve(contract, { find, batches: listBatches })
