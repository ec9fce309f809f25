// The lines of an import as they lie in the database: read, checked again and written by the thousand.
import { setImmediate as rest } from 'node:timers/promises'
import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import type { Actor, Ctx } from '#server/ctx.ts'
import { logOperation, objectKey } from '#server/operation-log.ts'
import { Refusal } from '#server/refuse.ts'
import type { Secrets } from '#server/secrets.ts'
import { inTheNameOf, SYSTEM_ACTOR } from '#server/system.ts'
import type { FieldChange } from '#server/tables.ts'
import type { CellKey, Cells, Counts, Defaults, FixKey, Head } from './rules.ts'
import { type Checked, checkLine, cleanCell } from './server-check.ts'
import type { Facts } from './server-facts.ts'
import { shopImports as imports, shopImportRows as lines, shopImports } from './tables.ts'

export type Import = typeof shopImports.$inferSelect
export type ImportLine = typeof lines.$inferSelect

/** The loop that works on imports. */
export const WORK = 'shopImports'

/** Lines that are checked before others get their turn, and that one statement writes. */
const AT_ONCE = 500
const WRITTEN_AT_ONCE = 2_000

/** A line of the file by the columns that its heads are. */
export function cellsOf(raw: readonly string[], heads: readonly Head[]): { cells: Cells; password: string } {
  const cells: Cells = {}
  let password = ''
  heads.forEach(({ column }, at) => {
    if (column === null) return
    if (column === 'password') password = (raw[at] ?? '').trim()
    else {
      const text = cleanCell(column, raw[at] ?? '')
      if (text !== '') cells[column] = text
    }
  })
  return { cells, password }
}

export function sealed(secrets: Secrets, text: string): Buffer | null {
  return text === '' ? null : secrets.encrypt(text)
}

export function opened(secrets: Secrets, bytes: Buffer | null): string {
  return bytes === null ? '' : secrets.decrypt(bytes)
}

/** What a check makes of a line's row. */
export function judged(cells: Cells, { form, faults }: Checked) {
  return { cells, faults, form, isFaulty: faults.length > 0, account: (cells.account ?? '').trim() }
}

type Written = Pick<ImportLine, 'id'> & ReturnType<typeof judged> & { password?: Buffer | null }

/** Lines that wait, checked with other cells or other defaults. `changed` answers a line's cells, or null where it stays as it is. */
export async function recheck(
  ctx: Ctx,
  of: Import,
  facts: Facts,
  changed: (line: Pick<ImportLine, 'cells' | 'faults' | 'raw'>) => { cells: Cells; password?: string } | null,
  defaults: Defaults = of.defaults,
): Promise<number> {
  const { secrets } = ctx.services
  let after = 0
  let written = 0
  for (;;) {
    const some = await ctx.db
      .select({
        id: lines.id,
        position: lines.position,
        cells: lines.cells,
        faults: lines.faults,
        raw: lines.raw,
        password: lines.password,
      })
      .from(lines)
      .where(and(eq(lines.importId, of.id), eq(lines.state, 'pending'), gt(lines.position, after)))
      .orderBy(asc(lines.position))
      .limit(WRITTEN_AT_ONCE)
    const updates: Written[] = []
    for (const [at, line] of some.entries()) {
      if (at % AT_ONCE === AT_ONCE - 1) await rest()
      const next = changed(line)
      if (!next) continue
      const password = next.password ?? opened(secrets, line.password)
      updates.push({
        id: line.id,
        ...judged(next.cells, checkLine({ cells: next.cells, password }, defaults, facts)),
        ...(next.password === undefined ? {} : { password: sealed(secrets, next.password) }),
      })
    }
    await writeLines(ctx, of.id, updates)
    written += updates.length
    const last = some.at(-1)
    if (!last || some.length < WRITTEN_AT_ONCE) break
    after = last.position
  }
  await markDuplicates(ctx, of.id)
  return written
}

export async function writeLines(ctx: Ctx, importId: number, updates: readonly Written[]): Promise<void> {
  if (updates.length === 0) return
  const payload = updates.map(({ password, ...line }) => ({
    ...line,
    sealed: password === undefined ? 'as it is' : password === null ? null : `\\x${password.toString('hex')}`,
  }))
  await ctx.client.query(
    `update shop_import_rows r set cells = u.cells, faults = u.faults, form = u.form, account = u.account, is_faulty = u."isFaulty",
       password = case when u.sealed = 'as it is' then r.password else u.sealed::bytea end
     from jsonb_to_recordset($1::jsonb) as u (id bigint, cells jsonb, faults jsonb, form jsonb, account text, "isFaulty" boolean, sealed text)
     where r.id = u.id and r.import_id = $2 and r.state = 'pending'`,
    [JSON.stringify(payload), importId],
  )
}

/** Which lines have an account that another line or a shop has, in one statement; of several the first that is not left out. */
export async function markDuplicates(ctx: Ctx, importId: number): Promise<void> {
  // Nothing is known yet of lines that were just written: by a guess of few, each would be looked for among all.
  await ctx.client.query('set local enable_nestloop = off')
  await ctx.client.query(
    `with mine as (
       select id, account, row_number() over same as place, count(*) over (partition by account) as lines
       from shop_import_rows where import_id = $1 and state = 'pending' and not skip and account <> ''
       window same as (partition by account order by position)),
     taken as (
       select account from merchant_accounts_taken(array(select distinct account from mine)) as account),
     marked as (
       select m.id, case when t.account is not null then 'taken' when m.lines = 1 then null when m.place = 1 then 'first' else 'file' end as kind
       from mine m left join taken t using (account))
     update shop_import_rows r set duplicate = wanted.kind
     from (select o.id, m.kind from shop_import_rows o left join marked m using (id)
       where o.import_id = $1 and o.state = 'pending' and o.duplicate is distinct from m.kind) as wanted
     where r.id = wanted.id`,
    [importId],
  )
  await ctx.client.query('set local enable_nestloop = on')
}

/** A line is left out: it was said so, or what was said of accounts that stand twice says so. */
export const LEFT_OUT: SQL = sql`coalesce(${lines.skip} or (${lines.duplicate} = 'taken' and ${shopImports.duplicates}->>'taken' = 'skip')
  or (${lines.duplicate} = 'file' and ${shopImports.duplicates}->>'file' <> 'ask')
  or (${lines.duplicate} = 'first' and ${shopImports.duplicates}->>'file' = 'none'), false)`
/** Its account stands twice and nothing was said of it. */
export const UNDECIDED_LINE: SQL = sql`(coalesce(${lines.duplicate} in ('taken', 'file'), false) and not ${LEFT_OUT})`
const WAITS = sql`${lines.state} = 'pending'`
export const FAULTY: SQL = sql`(${WAITS} and ${lines.isFaulty} and not ${LEFT_OUT})`
export const FINE: SQL = sql`(${WAITS} and not ${lines.isFaulty} and not ${LEFT_OUT} and not ${UNDECIDED_LINE})`

/** Lines with what is said of their import. */
export function linesOf(importId: number) {
  return and(eq(lines.importId, importId), eq(shopImports.id, importId))
}

export async function countsOf(ctx: Ctx, importId: number) {
  const of = (where: SQL) => sql<number>`count(*) filter (where ${where})::int`
  const [counted] = await ctx.db
    .select({
      rows: sql<number>`count(*)::int`,
      faulty: of(FAULTY),
      duplicates: of(sql`${WAITS} and ${lines.duplicate} is not null`),
      undecided: of(sql`${WAITS} and ${UNDECIDED_LINE}`),
      fine: of(FINE),
      created: of(sql`${lines.state} in ('created', 'kept', 'rolledBack')`),
      failed: of(sql`${lines.state} = 'failed'`),
      kept: of(sql`${lines.state} = 'kept'`),
    })
    .from(lines)
    .innerJoin(shopImports, eq(shopImports.id, lines.importId))
    .where(linesOf(importId))
  const fixes = await ctx.client.query<{ fix: FixKey; found: number }>(
    `select fault->>'fix' as fix, count(distinct r.id)::int as found
     from shop_import_rows r cross join jsonb_array_elements(r.faults) as fault
     where r.import_id = $1 and r.state = 'pending' and r.is_faulty and not r.skip and fault ? 'fix' group by 1`,
    [importId],
  )
  const none: Counts & Record<'duplicates' | 'created' | 'failed' | 'kept', number> = {
    rows: 0,
    faulty: 0,
    duplicates: 0,
    undecided: 0,
    fine: 0,
    created: 0,
    failed: 0,
    kept: 0,
  }
  return {
    ...(counted ?? none),
    fixes: Object.fromEntries(fixes.rows.map(({ fix, found }) => [fix, found])) as Partial<
      Record<FixKey, number>
    >,
  }
}

/** The cells of which a fault can be mended in this way. */
export function faultyColumns(faults: ImportLine['faults'], fix: FixKey): CellKey[] {
  return faults.filter(fault => fault.fix === fix).map(({ column }) => column)
}

/** `ctx` acts for the agency whose shops they are; `by` is whoever began it, in an agency of its own. */
export type InHand = { ctx: Ctx; one: Import; by: Actor }

/** This import, where it is at work and no other instance has it in hand; in the name of whoever began it. */
export async function takeInHand(system: Ctx, id: number, back = false): Promise<InHand | null> {
  const [row] = await system.db
    .select({ one: imports, companyName: agents.companyName })
    .from(imports)
    .innerJoin(agents, eq(agents.id, imports.agentId))
    .where(and(eq(imports.id, id), eq(imports.state, back ? 'rolling' : 'running')))
    .for('update', { of: imports, skipLocked: true })
  if (!row) return null
  const { one, companyName } = row
  const accountId = (back ? one.rollBackBy : one.startedBy) ?? 0
  const [account] = await system.db
    .select({ enabled: accounts.enabled, agentId: accounts.agentId })
    .from(accounts)
    .where(eq(accounts.id, accountId))
  if (!account?.enabled) throw new Refusal('ACCOUNT_GONE', '办理人的账号已停用，请由其他人继续')
  const name = back ? one.rollBackByName : one.startedByName
  const actor = { ...SYSTEM_ACTOR, accountId, agentId: one.agentId, name, companyName }
  return { ctx: inTheNameOf(system, actor).ctx, one, by: { ...actor, agentId: account.agentId } }
}

/** Last before commit: what a batch has done, with every shop. */
export async function logBatch(
  { ctx, one, by }: InHand,
  title: string,
  shops: readonly number[],
  changes: FieldChange[],
): Promise<void> {
  if (shops.length === 0) return
  await logOperation(ctx, {
    operation: '/shop-imports work',
    title,
    subject: `${one.fileName} (${one.id})`,
    objects: [objectKey('shopImport', one.id), ...shops.map(id => objectKey('merchant', id))],
    changes,
    by,
    aboutAgentId: one.agentId,
  })
}

/** Whoever began it, and those of the agency who import, are told how it ended or why it stands. */
export async function tellImport(ctx: Ctx, one: Import, title: string, body: string): Promise<void> {
  const told = {
    topic: 'Import_Notify',
    title,
    body: `${one.fileName}：${body}`,
    link: `/admin/merchant/merchantImportDetail?id=${one.id}`,
    args: { id: one.id },
  } as const
  await notify(ctx, { ...told, agentId: one.agentId, holding: 'shopImport.import' })
  const by = (one.state === 'rolling' ? one.rollBackBy : one.startedBy) ?? 0
  const [account] = await ctx.db
    .select({ agentId: accounts.agentId })
    .from(accounts)
    .where(eq(accounts.id, by))
  if (account && account.agentId !== one.agentId) await notify(ctx, { ...told, accountIds: [by] })
}
