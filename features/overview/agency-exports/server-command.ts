// An archive that the command makes: to a file of whoever runs it. Its row and the log tell of it as of any other; the office keeps no bytes.
import { eq, or, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { formatDay } from '#kit/time.ts'
import type { Services } from '#server/ctx.ts'
import { actAsSystem, readAsSystem } from '#server/system.ts'
import { AGENCY_EXPORT_REFUSALS, BY_COMMAND, exportNo, refuseReason, refuseStart } from './rules.ts'
import type { Outer } from './server-certificate.ts'
import { makeArchive } from './server-make.ts'
import { logMade } from './server-write.ts'
import { agencyExports } from './tables.ts'

export type ByHand = {
  /** Its number, or its name as it stands. */
  agent: string
  reason: string
}

/** Rests as an export of the background does: the office goes on beside it. */
const REST = 1

export async function makeByHand(
  services: Services,
  { agent, reason }: ByHand,
  put: (bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<Outer> {
  const why = reason.trim() || BY_COMMAND
  const refusedReason = refuseReason(why)
  if (refusedReason) throw new Error(AGENCY_EXPORT_REFUSALS[refusedReason])
  const { id: agentId, companyName } = await agencyOf(services, agent)
  const createdAt = services.clock.now().toISOString()
  const id = await numbered(services)
  const number = exportNo(id, formatDay(createdAt))
  const counted = { rows: 0, files: 0, missing: 0 }
  const subject = { agentId, companyName, number, reason: why, by: BY_COMMAND }
  const { outer, certificate } = await makeArchive(services, { subject, counted, pace: { rest: REST } }, put)
  await actAsSystem(services, `agency-export-${id}`, async ctx => {
    await ctx.db.insert(agencyExports).values({
      ...{ id, agentId, reason: why, state: 'deleted', certificate },
      ...{ rowsWritten: outer.rows, rowsExpected: outer.rows, filesWritten: outer.files },
      ...{ byteSize: outer.bytes, sha256: outer.sha256 },
      ...{ createdBy: 0, createdByName: BY_COMMAND, createdAt, finishedAt: outer.madeAt },
    })
    await logMade(ctx, outer)
  })
  return outer
}

async function agencyOf(services: Services, agent: string): Promise<{ id: number; companyName: string }> {
  const isNumber = /^\d{1,15}$/.test(agent)
  const found = await readAsSystem(services, ({ db }) =>
    db
      .select()
      .from(agents)
      .where(or(eq(agents.companyName, agent), isNumber ? eq(agents.id, Number(agent)) : undefined)),
  )
  const [one, another] = found
  if (!one) throw new Error(`There is no agency ${agent}.`)
  if (another)
    throw new Error(`Several agencies are called ${agent}: ${found.map(({ id }) => id).join(', ')}.`)
  const refused = refuseStart({ isVendor: one.isOperator || one.isVendorStaff }, 0)
  if (refused) throw new Error(AGENCY_EXPORT_REFUSALS[refused])
  return one
}

/** The next number of a row, which the archive names before it has one. */
async function numbered(services: Services): Promise<number> {
  return actAsSystem(services, 'agency-export', async ({ db }) => {
    const { rows } = await db.execute<{ id: string }>(
      sql`select nextval(pg_get_serial_sequence('agency_exports', 'id')) as id`,
    )
    return Number(rows[0]?.id)
  })
}
