// What an order changes at shops: version, term, number of shops. Only purchases and their undo call it.
import { type SQL, sql } from 'drizzle-orm'
import { type Ctx, ownRows } from '#server/ctx.ts'
import type { STATUS_STEPS } from './rules.ts'
import { merchants } from './tables.ts'

export type TermsChange = {
  merchantId: number
  versionId: number
  /** Null: permanent. */
  expiresAt: string | null
  shopsBought: number
  /** Left out: as it is. */
  status?: typeof STATUS_STEPS.disable.to
}

/** Writes the new terms of these shops in one statement. The caller has locked them in the order of their ids. */
export async function applyTerms(ctx: Ctx, changes: readonly TermsChange[]): Promise<void> {
  if (changes.length === 0) return
  const column = (name: keyof TermsChange, type: string): SQL =>
    sql`${sql.param(changes.map(change => change[name] ?? null))}::${sql.raw(type)}[]`
  const wanted = sql`unnest(${column('merchantId', 'bigint')}, ${column('versionId', 'integer')},
    ${column('expiresAt', 'timestamptz')}, ${column('shopsBought', 'integer')}, ${column('status', 'text')})
    as wanted (id, version_id, expires_at, shops_bought, status)`
  const own = ownRows(ctx, merchants.agentId)
  const done = await ctx.db.execute(sql`update merchants set version_id = wanted.version_id,
      expires_at = wanted.expires_at, shops_bought = wanted.shops_bought,
      status = coalesce(wanted.status, merchants.status), revision = merchants.revision + 1
    from ${wanted} where merchants.id = wanted.id and ${own ?? sql`true`}`)
  if (done.rowCount !== changes.length)
    throw new Error(`terms of ${changes.length} shops were to change, ${done.rowCount} did`)
}
