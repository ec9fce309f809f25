import { and, asc, count, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import {
  containingConditions,
  equal,
  filtered,
  type ListSource,
  ownColumns,
  ownCondition,
  rowsAndTotal,
} from '#server/list.ts'
import { found, refuse } from '#server/refuse.ts'
import type { shopImport as contract } from './contract.ts'
import { IMPORTS } from './fields.ts'
import { IMPORT_REFUSALS, IMPORT_STEPS, type ImportStep, refuseStep, type ShownRows } from './rules.ts'
import { FAULTY, FINE, type Import, linesOf } from './server-lines.ts'
import { shopImports as imports, shopImportRows as lines } from './tables.ts'

const ROW = {
  ...ownColumns(imports, [
    'id',
    'agentId',
    'fileName',
    'mode',
    'reason',
    'state',
    'active',
    'rows',
    'created',
    'failed',
    'skipped',
    'takenBack',
    'totalCents',
    'sms',
    'remark',
    'createdByName',
    'createdAt',
    'finishedAt',
  ]),
  agentName: agents.companyName,
}

export const listImports: Verb<typeof contract.list> = async (ctx, input) => {
  const list: ListSource = {
    name: 'shop imports',
    table: imports,
    conditions: [
      ...ownCondition(ctx, imports.agentId),
      ...filtered(IMPORTS, input, {
        state: imports.state,
        mode: imports.mode,
        agentId: imports.agentId,
        active: shown => equal('active', imports.active, shown === 'true'),
      }),
      ...(input.search === undefined ? [] : containingConditions(imports.fileName, input.search)),
    ],
    sort: 'id',
    order: [desc(imports.id)],
  }
  return rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select(ROW)
      .from(page)
      .innerJoin(imports, eq(imports.id, page.id))
      .innerJoin(agents, eq(agents.id, imports.agentId))
      .orderBy(desc(imports.id)),
  )
}

/** The acting agent's import; whoever changes it locks it. */
export async function findImport(ctx: Ctx, id: number, locks = false): Promise<Import> {
  const query = ctx.db
    .select()
    .from(imports)
    .where(and(eq(imports.id, id), ownRows(ctx, imports.agentId)))
    .$dynamic()
  const [row] = await (locks ? query.for('update') : query)
  return found(row)
}

/** Locks an import that this step can be taken with, and notes what it is about. */
export async function forStep(ctx: Ctx, id: number, step: ImportStep): Promise<Import> {
  const found = await findImport(ctx, id, true)
  refuse(refuseStep(found.state, step), IMPORT_REFUSALS)
  noteImport(ctx, found)
  return found
}

/** Locks an import whose lines can be changed still. */
export function forChange(ctx: Ctx, id: number): Promise<Import> {
  return forStep(ctx, id, 'start')
}

export function noteImport(
  ctx: Ctx,
  { id, agentId, fileName }: Import,
  changes: Parameters<Ctx['note']>[1] = [],
): void {
  if (agentId !== ctx.actor.agentId) ctx.about(agentId)
  ctx.object('shopImport', id)
  ctx.note(`${fileName} (${id})`, changes)
}

export async function takeStep(
  ctx: Ctx,
  id: number,
  step: ImportStep,
  more: Partial<typeof imports.$inferInsert> = {},
): Promise<void> {
  const { from, to } = IMPORT_STEPS[step]
  await ctx.db
    .update(imports)
    .set({ ...more, state: to })
    .where(and(eq(imports.id, id), inArray(imports.state, [...from])))
}

const SHOWN: Record<ShownRows, SQL | undefined> = {
  all: undefined,
  faulty: FAULTY,
  duplicate: sql`${lines.duplicate} is not null`,
  fine: FINE,
  created: sql`${lines.state} in ('created', 'kept', 'rolledBack')`,
  failed: sql`${lines.state} = 'failed'`,
  rolledBack: sql`${lines.state} = 'rolledBack'`,
  kept: sql`${lines.state} = 'kept'`,
}

export const LINE = {
  ...ownColumns(lines, [
    'id',
    'position',
    'line',
    'cells',
    'faults',
    'duplicate',
    'skip',
    'state',
    'problem',
    'merchantId',
    'orderNo',
    'totalCents',
  ]),
  hasPassword: sql<boolean>`${lines.password} is not null`,
}

export const listRows: Verb<typeof contract.rows> = async (ctx, { id, only, offset, limit }) => {
  await findImport(ctx, id)
  const where = and(linesOf(id), SHOWN[only])
  const rows = await ctx.db
    .select(LINE)
    .from(lines)
    .innerJoin(imports, eq(imports.id, lines.importId))
    .where(where)
    .orderBy(asc(lines.position))
    .offset(offset)
    .limit(limit)
  const [counted] = await ctx.db
    .select({ total: count() })
    .from(lines)
    .innerJoin(imports, eq(imports.id, lines.importId))
    .where(where)
  return { rows, total: counted?.total ?? 0 }
}
