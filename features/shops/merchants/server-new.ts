// A new shop's row, and what both a new and an edited shop are refused for.
import { and, eq, inArray, sql } from 'drizzle-orm'
import { accounts } from '#features/office/access/tables.ts'
import type { TermEnd } from '#features/shops/versions/rules.ts'
import { isOffered } from '#kit/declare/reference.ts'
import type { Ctx } from '#server/ctx.ts'
import { sqlState } from '#server/db.ts'
import { insertRows } from '#server/insert-rows.ts'
import { Refusal } from '#server/refuse.ts'
import { type MerchantRefusal, REFUSALS } from './rules.ts'
import { industries, merchants } from './tables.ts'

export function refuseField(code: MerchantRefusal, field: string): never {
  throw new Refusal(code, REFUSALS[code], { field })
}

/** Refuses an industry that is not offered; one that the shop has already it may keep. */
export async function refuseUnknownIndustry(
  ctx: Ctx,
  industryId: number | null,
  heldId: number | null = null,
): Promise<void> {
  const known = await ctx.db.select().from(industries)
  const chosen = known.find(({ id }) => id === industryId)
  const mayStay = industryId === heldId || (chosen && isOffered(chosen.retiredAt, ctx.now.getTime()))
  if (!chosen || !mayStay) refuseField('INDUSTRY_REQUIRED', 'industryId')
}

/** Whom a new shop is given to: whoever sees its own shops alone keeps what it adds. */
export function managerOf(ctx: Ctx, asked: number | null): number | null {
  return asked ?? (ctx.actor.seesOwnShops ? ctx.actor.accountId : null)
}

/** Refuses a manager who is no enabled account of the acting agent, and any other for whoever sees its own shops alone. */
export async function refuseUnknownManager(
  ctx: Ctx,
  managerId: number | null,
  agentId = ctx.actor.agentId,
): Promise<void> {
  if (ctx.actor.seesOwnShops && managerId !== ctx.actor.accountId) refuseField('MANAGER_UNKNOWN', 'managerId')
  if (managerId === null) return
  const [manager] = await ctx.db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.id, managerId), inArray(accounts.agentId, [agentId]), accounts.enabled))
  if (!manager) refuseField('MANAGER_UNKNOWN', 'managerId')
}

export type NewMerchantRow = Omit<
  typeof merchants.$inferInsert,
  'id' | 'registeredAt' | 'expiresAt' | 'termDay' | 'paymentConfig'
>

/** Answers its id; refuses an account that another shop has. `paymentConfig` is Base64. */
export async function insertMerchant(
  ctx: Ctx,
  draft: { row: NewMerchantRow; paymentConfig: string | null },
  now: Date,
  term: TermEnd,
): Promise<number> {
  const insert = ctx.prepared('add_merchant', db => {
    const keys = Object.keys(draft.row).filter(key => key !== 'id')
    const row = Object.fromEntries(keys.map(key => [key, sql.placeholder(key)]))
    return db
      .insert(merchants)
      .values({
        ...(row as unknown as NewMerchantRow),
        id: sql`nextval('merchant_ids')` as unknown as number,
        registeredAt: sql.placeholder('registeredAt') as unknown as string,
        expiresAt: sql.placeholder('expiresAt') as unknown as string,
        termDay: sql.placeholder('termDay') as unknown as number,
        paymentConfig: sql.placeholder('paymentConfig') as unknown as Buffer,
      })
      .returning({ id: merchants.id })
      .prepare('add_merchant')
  })
  try {
    const [created] = await insert.execute({
      ...draft.row,
      registeredAt: now.toISOString(),
      ...term,
      paymentConfig: draft.paymentConfig === null ? null : Buffer.from(draft.paymentConfig, 'base64'),
    })
    return (created as { id: number }).id
  } catch (error) {
    if (sqlState(error) === '23505') refuseField('ACCOUNT_TAKEN', 'account')
    throw error
  }
}

export type NewShop = TermEnd & { row: NewMerchantRow; registeredAt: string }

/** Several at once: answers the id of each, or null where another shop has its account. */
export async function insertMerchants(ctx: Ctx, shops: readonly NewShop[]): Promise<(number | null)[]> {
  const { rows } = await ctx.client.query<{ id: string }>({
    name: 'next_merchant_ids',
    text: `select nextval('merchant_ids') as id from generate_series(1, $1)`,
    values: [shops.length],
  })
  const ids = rows.map(({ id }) => Number(id))
  await insertRows(
    ctx.client,
    merchants,
    shops.map(({ row, ...dates }, at) => ({ ...row, ...dates, id: ids[at] as number })),
    'on conflict (account) do nothing',
  )
  const made = await ctx.db.select({ id: merchants.id }).from(merchants).where(inArray(merchants.id, ids))
  const there = new Set(made.map(({ id }) => id))
  return ids.map(id => (there.has(id) ? id : null))
}
