// A file becomes an import: read beside this program, its heads matched, every line checked; nothing of it is a shop yet.
import { setImmediate as rest } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { type Ctx, identityOf, ownRows, type Verb } from '#server/ctx.ts'
import { insertRows } from '#server/insert-rows.ts'
import { logOperation, objectKey } from '#server/operation-log.ts'
import { found, Refusal, refuse } from '#server/refuse.ts'
import { makeCtx } from '#server/serve.ts'
import { readBrought } from '#server/sheets/sheet.ts'
import type { shopImport as contract } from './contract.ts'
import { IMPORT_FIELDS } from './fields.ts'
import {
  type FileRefusal,
  type Head,
  IMPORT_MODES,
  IMPORT_REFUSALS,
  LIMITS,
  refuseUpload,
  UNDECIDED,
} from './rules.ts'
import { checkLine } from './server-check.ts'
import { factsOf } from './server-facts.ts'
import { knownHeads, readTable, type Table } from './server-heads.ts'
import { cellsOf, judged, markDuplicates, sealed } from './server-lines.ts'
import { shopImportMappings, shopImportRows, shopImports } from './tables.ts'

const SHEET_LIMITS = { ...LIMITS, rows: LIMITS.rows + LIMITS.before }
/** Lines that are checked before others get their turn. */
const AT_ONCE = 500

function refuseFile(code: FileRefusal): never {
  throw new Refusal(code, IMPORT_REFUSALS[code], { field: 'file' })
}

export const uploadImport: Verb<typeof contract.upload> = async (ctx, input) => {
  refuse(refuseUpload(input, ctx.actor), IMPORT_REFUSALS, { field: 'mode' })
  const { services, request, actor } = ctx
  const agentId = input.agentId ?? actor.agentId
  const identity = identityOf(actor, services.walls)
  const remembered = await services.database.read(identity, lent =>
    rememberedBy(makeCtx(lent, { services, request }, actor).ctx, agentId),
  )
  const { lines, notes } = await readBrought({
    agentId: actor.agentId,
    file: input.bytes,
    limits: SHEET_LIMITS,
    heads: knownHeads(remembered),
    words: IMPORT_REFUSALS,
  })
  return services.database.write(identity, async lent => {
    const one = makeCtx(lent, { services, request }, actor).ctx
    const [agent] = await one.db
      .select({ id: agents.id, name: agents.companyName })
      .from(agents)
      .where(and(eq(agents.id, agentId), ownRows(one, agents.id)))
    const { name: agentName } = found(agent)
    const facts = await factsOf(one, { agentId, mode: input.mode })
    const table = readTable(lines, remembered, facts)
    if (!table) refuseFile('FILE_NO_HEADS')
    if (table.lines.length === 0) refuseFile('FILE_NO_ROWS')
    if (table.lines.length > LIMITS.rows) refuseFile('FILE_ROWS')
    const id = await writeImport(one, { ...input, agentId, notes }, table)
    await writeTable(one, { id, agentId }, table, facts)
    await logOperation(one, {
      operation: '/shop-imports upload',
      title: '上传店铺表格',
      subject: `${nameOf(input.fileName)} (${id})`,
      objects: [objectKey('shopImport', id)],
      changes: [
        { name: IMPORT_FIELDS.mode.label, before: null, after: IMPORT_MODES[input.mode] },
        { name: IMPORT_FIELDS.agentName.label, before: null, after: agentName },
        { name: IMPORT_FIELDS.rows.label, before: null, after: `${table.lines.length} 行` },
      ],
      by: actor,
      ...(agentId === actor.agentId ? {} : { aboutAgentId: agentId }),
    })
    return { id }
  })
}

const nameOf = (fileName: string) => [...fileName].slice(0, LIMITS.fileName).join('')

export async function rememberedBy(ctx: Ctx, agentId: number): Promise<Record<string, string>> {
  const [kept] = await ctx.db
    .select({ columns: shopImportMappings.columns })
    .from(shopImportMappings)
    .where(eq(shopImportMappings.agentId, agentId))
  return kept?.columns ?? {}
}

type Wanted = {
  fileName: string
  mode: keyof typeof IMPORT_MODES
  agentId: number
  reason: string
  notes: string[]
}

async function writeImport(ctx: Ctx, wanted: Wanted, { heads, lines }: Table): Promise<number> {
  const [made] = await ctx.db
    .insert(shopImports)
    .values({
      agentId: wanted.agentId,
      fileName: nameOf(wanted.fileName),
      mode: wanted.mode,
      reason: wanted.mode === 'takeover' ? wanted.reason.trim() : '',
      state: 'draft',
      heads: heads.map(withoutSecrets),
      notes: wanted.notes,
      defaults: {},
      duplicates: UNDECIDED,
      rows: lines.length,
      createdBy: ctx.actor.accountId,
      createdByName: ctx.actor.name,
      createdAt: ctx.now.toISOString(),
    })
    .returning({ id: shopImports.id })
  return found(made).id
}

/** Passwords are shown to nobody. */
function withoutSecrets(head: Head): Head {
  return head.column === 'password' ? { ...head, samples: [] } : head
}

async function writeTable(
  ctx: Ctx,
  of: { id: number; agentId: number },
  { heads, lines }: Table,
  facts: Parameters<typeof checkLine>[2],
): Promise<void> {
  const { secrets } = ctx.services
  const rows: (typeof shopImportRows.$inferInsert)[] = []
  for (const [at, { line, cells: raw }] of lines.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await rest()
    const read = cellsOf(raw, heads)
    rows.push({
      importId: of.id,
      agentId: of.agentId,
      position: at + 1,
      line,
      raw: sealed(secrets, JSON.stringify(raw)),
      ...judged(read.cells, checkLine(read, {}, facts)),
      password: sealed(secrets, read.password),
      state: 'pending',
    })
  }
  await insertRows(ctx.client, shopImportRows, rows)
  await markDuplicates(ctx, of.id)
}
