// A new edition of the administrative divisions: what it changes and whom it concerns is said first. What it does not have any more is
// kept for those who have it, and offered to nobody else.
import { inArray, sql } from 'drizzle-orm'
import {
  EDITION_LIMITS,
  type EditionChange,
  editionChange,
  editionText,
  readEdition,
} from '#features/office/regions/rules.ts'
import { editionOf, lockRegions, regionsOf, writeEdition } from '#features/office/regions/server.ts'
import type { Out } from '#kit/declare/op.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { Refusal, refuse } from '#server/refuse.ts'
import type { referenceData as contract } from './contract.ts'
import { REFERENCE_REFUSALS, usesText } from './rules.ts'
import { errorsIn, importChanges, tokenOf } from './server-import.ts'

type Told = Omit<Out<typeof contract.rehearseRegions>, 'token'>

const districtsIn = (rows: readonly { code: string }[]) => rows.filter(({ code }) => code.length === 6).length

export const findRegions: Verb<typeof contract.regions> = async ctx => {
  const [edition, known] = [await editionOf(ctx), await regionsOf(ctx)]
  const { source, changedAt, changedByName } = edition
  return { source, changedAt, changedByName, districts: districtsIn(known.offered()) }
}

export const regionsText: Verb<typeof contract.regionsText> = async ctx => {
  return { text: editionText((await regionsOf(ctx)).offered()) }
}

/** By code of a district, what has it: 商户 12 家、代理商 1 家. */
async function usesOf(ctx: Ctx, codes: readonly string[]): Promise<Map<string, string>> {
  const counted = new Map<string, { what: string; counted: string; count: number; capped: false }[]>()
  if (codes.length === 0) return new Map()
  for (const { what, counted: word, column } of ctx.services.districts) {
    const rows = await ctx.db
      .select({ code: sql<string>`${column}`, count: sql<number>`count(*)::int` })
      .from(column.table)
      .where(inArray(column, [...codes]))
      .groupBy(column)
    for (const { code, count } of rows)
      counted.set(code, [...(counted.get(code) ?? []), { what, counted: word, count, capped: false }])
  }
  return new Map([...counted].map(([code, uses]) => [code, usesText(uses)]))
}

type Planned = { rows: { code: string; name: string }[]; told: Told }

async function planOf(ctx: Ctx, text: string): Promise<Planned> {
  const known = await regionsOf(ctx)
  const { rows, errors } = readEdition(text, districtsIn(known.offered()))
  const change: EditionChange =
    errors.length > 0
      ? { added: [], restored: [], renamed: [], retired: [], same: 0 }
      : editionChange(known, rows)
  const uses = await usesOf(
    ctx,
    [...change.retired, ...change.renamed].map(({ code }) => code).filter(code => code.length === 6),
  )
  const called = ({ code, name }: { code: string; name: string }) => {
    const above = known.regionName(code.slice(0, -2))
    return `${above}${name === above ? '' : name}（${code}）`
  }
  const having = (code: string, then: string) => {
    const used = uses.get(code)
    return used ? `${used}，${then}` : '没有使用'
  }
  const told = {
    added: [
      ...change.added.map(row => ({ name: called(row), what: '新增' })),
      ...change.restored.map(row => ({ name: called(row), what: '恢复' })),
    ],
    changed: change.renamed.map(row => ({
      name: called(row),
      what: `原名${row.before}，${having(row.code, '随之改名')}`,
    })),
    removed: change.retired.map(row => ({ name: called(row), what: having(row.code, '保留原地区') })),
    same: change.same,
    ...errorsIn(errors),
  }
  return { rows, told }
}

export const rehearseRegions: Verb<typeof contract.rehearseRegions> = async (ctx, { text }) => {
  const { told } = await planOf(ctx, text)
  return { ...told, token: tokenOf(told) }
}

export const importRegions: Verb<typeof contract.importRegions> = async (ctx, { source, text, token }) => {
  const edition = source.trim()
  if (edition === '' || [...edition].length > EDITION_LIMITS.source)
    throw new Refusal('SOURCE_WRONG', REFERENCE_REFUSALS.SOURCE_WRONG, { field: 'source' })
  await lockRegions(ctx)
  const { rows, told } = await planOf(ctx, text)
  refuse(told.errorCount > 0 ? 'FILE_REFUSED' : null, REFERENCE_REFUSALS)
  refuse(tokenOf(told) === token ? null : 'FILE_CHANGED', REFERENCE_REFUSALS)
  const before = await editionOf(ctx)
  await writeEdition(ctx, edition, rows)
  ctx.object('setting', 'regions')
  ctx.note('行政区划', [{ name: '版本', before: before.source, after: edition }, ...importChanges(told)])
  return { ...told, token }
}
