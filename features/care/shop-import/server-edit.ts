// What people change of an import before it begins: columns, defaults, single lines, one kind of fault in all of them.
import { and, eq, sql } from 'drizzle-orm'
import { countText } from '#kit/money.ts'
import { headKey } from '#kit/words/heads.ts'
import type { Verb } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import type { shopImport as contract } from './contract.ts'
import { COLUMNS } from './fields.ts'
import {
  type CellKey,
  type Cells,
  FILE_DUPLICATES,
  FIXES,
  type Head,
  IMPORT_REFUSALS,
  TAKEN_DUPLICATES,
} from './rules.ts'
import { checkLine, cleanCell, mended } from './server-check.ts'
import { factsOf } from './server-facts.ts'
import {
  cellsOf,
  countsOf,
  FAULTY,
  faultyColumns,
  judged,
  linesOf,
  markDuplicates,
  opened,
  recheck,
  writeLines,
} from './server-lines.ts'
import { forChange, LINE, noteImport } from './server-list.ts'
import { rememberedBy } from './server-upload.ts'
import { shopImports as imports, shopImportRows as lines, shopImportMappings } from './tables.ts'

export const mapColumns: Verb<typeof contract.map> = async (ctx, { id, columns }) => {
  const one = await forChange(ctx, id)
  const chosen = columns.filter(column => column !== null)
  refuse(new Set(chosen).size < chosen.length ? 'COLUMN_TWICE' : null, IMPORT_REFUSALS)
  const heads = one.heads.map((head, at): Head => {
    const column = columns[at] ?? null
    const { name, samples } = head
    return { name, column, samples: column === 'password' ? [] : samples }
  })
  await ctx.db.update(imports).set({ heads }).where(eq(imports.id, id))
  await remember(ctx, one.agentId, heads)
  const facts = await factsOf(ctx, one)
  await recheck(ctx, { ...one, heads }, facts, ({ raw }) =>
    cellsOf(JSON.parse(opened(ctx.services.secrets, raw) || '[]') as string[], heads),
  )
  noteImport(
    ctx,
    one,
    heads.flatMap((head, at) => {
      const before = one.heads[at]?.column ?? null
      const named = (column: CellKey | null) => (column === null ? '不导入' : COLUMNS[column].label)
      return before === head.column
        ? []
        : [{ name: head.name, before: named(before), after: named(head.column) }]
    }),
  )
  return { id }
}

/** What a head is for the partner's next file; that it is nothing is remembered too. */
async function remember(
  ctx: Parameters<typeof mapColumns>[0],
  agentId: number,
  heads: readonly Head[],
): Promise<void> {
  const said = Object.fromEntries(heads.map(({ name, column }) => [headKey(name), column ?? '']))
  const columns = { ...(await rememberedBy(ctx, agentId)), ...said }
  const kept = { columns, changedAt: ctx.now.toISOString() }
  await ctx.db
    .insert(shopImportMappings)
    .values({ agentId, ...kept })
    .onConflictDoUpdate({ target: shopImportMappings.agentId, set: kept })
}

export const setUp: Verb<typeof contract.setUp> = async (ctx, { id, defaults, duplicates }) => {
  const one = await forChange(ctx, id)
  await ctx.db.update(imports).set({ defaults, duplicates }).where(eq(imports.id, id))
  if (JSON.stringify(defaults) !== JSON.stringify(one.defaults)) {
    const facts = await factsOf(ctx, one)
    await recheck(ctx, one, facts, ({ cells }) => ({ cells }), defaults)
  }
  noteImport(ctx, one, [
    {
      name: '表内重复',
      before: FILE_DUPLICATES[one.duplicates.file],
      after: FILE_DUPLICATES[duplicates.file],
    },
    {
      name: '与现有店铺重复',
      before: TAKEN_DUPLICATES[one.duplicates.taken],
      after: TAKEN_DUPLICATES[duplicates.taken],
    },
  ])
  return { id }
}

export const editRow: Verb<typeof contract.editRow> = async (ctx, { id, rowId, cells, skip }) => {
  const one = await forChange(ctx, id)
  const [line] = await ctx.db
    .select()
    .from(lines)
    .where(and(eq(lines.importId, id), eq(lines.id, rowId)))
  const before = found(line)
  const { password: typed, ...texts } = cells
  const clean = Object.entries(texts).map(([key, text]) => [key, cleanCell(key as CellKey, text ?? '')])
  const next: Cells = { ...before.cells, ...(Object.fromEntries(clean) as Cells) }
  const password = typed ?? opened(ctx.services.secrets, before.password)
  const facts = await factsOf(ctx, one)
  const checked = checkLine({ cells: next, password }, one.defaults, facts)
  const sealed =
    typed === undefined ? {} : { password: typed === '' ? null : ctx.services.secrets.encrypt(typed) }
  await writeLines(ctx, id, [{ id: rowId, ...judged(next, checked), ...sealed }])
  if (skip !== undefined) await ctx.db.update(lines).set({ skip }).where(eq(lines.id, rowId))
  await markDuplicates(ctx, id)
  noteImport(ctx, one, [
    ...Object.entries(texts).map(([key, text]) => ({
      name: `第 ${before.line} 行 ${COLUMNS[key as CellKey].label}`,
      before: before.cells[key as CellKey] ?? null,
      after: text ?? null,
    })),
    ...(skip === undefined
      ? []
      : [{ name: `第 ${before.line} 行`, before: null, after: skip ? '跳过' : '导入' }]),
  ])
  const [shown] = await ctx.db.select(LINE).from(lines).where(eq(lines.id, rowId))
  return found(shown)
}

export const fixAll: Verb<typeof contract.fix> = async (ctx, { id, fix }) => {
  const one = await forChange(ctx, id)
  const facts = await factsOf(ctx, one)
  const count = await recheck(ctx, one, facts, ({ cells, faults }) => {
    const columns = faultyColumns(faults, fix)
    if (columns.length === 0) return null
    return { cells: columns.reduce((now, column) => mended(fix, column, now, facts) ?? now, cells) }
  })
  noteImport(ctx, one, [{ name: FIXES[fix], before: null, after: countText(count, '行') }])
  return { mended: count }
}

export const skipFaulty: Verb<typeof contract.skipFaulty> = async (ctx, { id }) => {
  const one = await forChange(ctx, id)
  const { faulty } = await countsOf(ctx, id)
  await ctx.db
    .update(lines)
    .set({ skip: true })
    .where(
      sql`${lines.id} in ${ctx.db
        .select({ id: lines.id })
        .from(lines)
        .innerJoin(imports, eq(imports.id, lines.importId))
        .where(and(linesOf(id), FAULTY))}`,
    )
  await markDuplicates(ctx, id)
  noteImport(ctx, one, [{ name: '跳过', before: null, after: countText(faulty, '行') }])
  return { skipped: faulty }
}
