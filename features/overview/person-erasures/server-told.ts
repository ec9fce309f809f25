// What the operation log says of an erasure: one row of the vendor's, and one for each agency that had something of the person. Counts alone.

import type { Ctx, LoggedBy } from '#server/ctx.ts'
import { logOperation } from '#server/operation-log.ts'
import { requestOf, SYSTEM_ACTOR } from '#server/system.ts'
import { FATES, type Fate, KINDS, type Kind } from './rules.ts'
import type { Client } from './server-client.ts'

type Counted = { agent_id: string | null; kind: Kind; fate: Fate; rows: number }

/** Within a transaction of the owner's. */
export async function logErasure(client: Client, id: number): Promise<void> {
  const { rows } = await client.query<{
    number: string
    created_by: string
    created_by_name: string
    agent_id: string | null
  }>(
    `select e.number, e.created_by::text, e.created_by_name, a.agent_id::text
     from person_erasures e left join accounts a on a.id = e.created_by where e.id = $1`,
    [id],
  )
  const erasure = rows[0]
  if (!erasure) return
  const { rows: counted } = await client.query<Counted>(
    `select agent_id::text, kind, fate, sum(coalesce(done, rows))::int as rows from person_erasure_items
     where erasure_id = $1 and chosen group by agent_id, kind, fate order by agent_id nulls first, kind, fate`,
    [id],
  )
  const by: LoggedBy =
    erasure.agent_id === null
      ? SYSTEM_ACTOR
      : {
          agentId: Number(erasure.agent_id),
          accountId: Number(erasure.created_by),
          name: erasure.created_by_name,
        }
  const request = requestOf('person erasure')
  const agents = new Set(counted.map(one => one.agent_id))
  for (const agentId of new Set([null, ...agents])) {
    const own = counted.filter(one => agentId === null || one.agent_id === agentId)
    await logOperation(
      { client: client as Ctx['client'], request },
      {
        operation: '/person-erasures work',
        title: '删除个人信息',
        subject: erasure.number,
        changes: own.map(({ kind, fate, rows: count }) => ({
          name: KINDS[kind],
          before: null,
          after: `${FATES[fate]} ${count}`,
        })),
        by,
        aboutAgentId: agentId === null ? null : Number(agentId),
      },
    )
  }
}
