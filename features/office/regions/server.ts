// The divisions that hold in this office: the program's table with what was imported. Each instance keeps it in memory and asks with
// one small query whether it still is the one.
import { asc, inArray, sql } from 'drizzle-orm'
import type { Out } from '#kit/declare/op.ts'
import type { Ctx } from '#server/ctx.ts'
import { serve } from '#server/serve.ts'
import { regions as contract } from './contract.ts'
import { changesTo, type Divisions, divisionsWith } from './divisions.ts'
import { FIRST_EDITION, type NamedDivision, type RegionChange } from './rules.ts'
import { regionChanges, regionEdition } from './tables.ts'

type Kept = { revision: number; divisions: Divisions }
const keptOf = new WeakMap<object, Kept>()

export async function regionsOf(ctx: Ctx): Promise<Divisions> {
  const { rows } = await ctx.client.query<{ revision: string }>({
    name: 'region_revision',
    text: 'select revision from region_edition',
  })
  const revision = Number(rows[0]?.revision ?? 0)
  const kept = keptOf.get(ctx.services.database)
  if (kept?.revision === revision) return kept.divisions
  const divisions = divisionsWith(await changesOf(ctx))
  keptOf.set(ctx.services.database, { revision, divisions })
  return divisions
}

/** Whether a district can be chosen; the code of a city or a province is none. */
export async function isOfferedDistrict(ctx: Ctx, code: string): Promise<boolean> {
  return code.length === 6 && (await regionsOf(ctx)).isOffered(code)
}

function changesOf(ctx: Ctx): Promise<RegionChange[]> {
  return ctx.db.select().from(regionChanges).orderBy(asc(regionChanges.code))
}

export async function editionOf(ctx: Ctx) {
  const [edition] = await ctx.db.select().from(regionEdition)
  return edition ?? { source: FIRST_EDITION, changedAt: null, changedByName: '' }
}

/** For the pages, which have the program's table themselves. */
async function listChanges(ctx: Ctx): Promise<Out<typeof contract.changes>> {
  const { source } = await editionOf(ctx)
  return { source, changes: await changesOf(ctx) }
}

/** Nobody else changes the table until the transaction ends. */
export async function lockRegions(ctx: Ctx): Promise<void> {
  await ctx.client.query(`select pg_advisory_xact_lock(hashtextextended('regions', 0))`)
}

/** Makes a whole table the one that holds: what it does not have is kept and offered no more. */
export async function writeEdition(ctx: Ctx, source: string, rows: readonly NamedDivision[]): Promise<void> {
  const known = await regionsOf(ctx)
  const before = await changesOf(ctx)
  const goneSince = new Map(before.map(({ code, retiredAt }) => [code, retiredAt]))
  const now = ctx.now.toISOString()
  const wanted = new Map<string, Omit<RegionChange, 'code'>>()
  for (const { code, name } of [...known.offered(), ...before])
    wanted.set(code, { name, retiredAt: goneSince.get(code) ?? now })
  for (const { code, name } of rows) wanted.set(code, { name, retiredAt: null })
  const after = changesTo(wanted)
  const stay = new Set(after.map(({ code }) => code))
  const gone = before.filter(({ code }) => !stay.has(code)).map(({ code }) => code)
  if (gone.length > 0) await ctx.db.delete(regionChanges).where(inArray(regionChanges.code, gone))
  if (after.length > 0)
    await ctx.db
      .insert(regionChanges)
      .values(after)
      .onConflictDoUpdate({
        target: regionChanges.code,
        set: { name: sql`excluded.name`, retiredAt: sql`excluded.retired_at` },
      })
  const written = { source, changedAt: now, changedByName: ctx.actor.name }
  await ctx.db
    .insert(regionEdition)
    .values({ id: 1, revision: 0, ...written })
    .onConflictDoUpdate({ target: regionEdition.id, set: written })
  await renew(ctx)
}

/** Every instance reads the table anew. Never the number of one that was rolled back. */
export async function renew(ctx: Ctx): Promise<void> {
  await ctx.db.update(regionEdition).set({
    // Behind a lock: a number that never comes twice, and no moment.
    revision: sql`greatest(revision + 1, (extract(epoch from clock_timestamp()) * 1000)::bigint)`,
  })
}

export const regionsRouter = serve(contract, { changes: listChanges })
