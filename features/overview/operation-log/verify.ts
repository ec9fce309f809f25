// Checks that the operation log is whole: each agent's chain, where it ends and where it begins. Reads only, one agent after the
// other in the order of an index, so that neither side holds more than a few rows.
import type pg from 'pg'
import type { Book } from '#server/checkpoints/checkpoints.ts'

export const LOG_BOOK: Book = {
  name: 'operation-log',
  table: 'operation_logs',
  sequence: 'operation_logs_id_seq',
  drops: true,
}

export type LogCheck = {
  sound: boolean
  line: string
  figures: Record<'agents' | 'entries' | 'anchors', number>
  problems: Record<keyof typeof PROBLEMS, number>
}

/** What each figure of a problem counts. */
const PROBLEMS = {
  broken_chains: 'rows that do not follow from the one before, or from the anchor',
  ends_unlike_rows: 'chains whose last row is not the one that their end names',
  chains_without_end: 'agents with rows and no end, or an end and an anchor that disagree',
} as const

const CHAIN = `
  select count(*) as entries, coalesce(max(sequence), 0) as last,
    count(*) filter (where sequence <> expected_sequence or hash is distinct from expected_hash) as broken,
    (array_agg(hash order by sequence desc) filter (where is_last))[1] as head
  from (
    select l.sequence, l.hash,
      coalesce(lag(l.sequence) over w, $2::bigint) + 1 as expected_sequence,
      operation_log_hash(coalesce(lag(l.hash) over w, $3::bytea), l) as expected_hash,
      lead(l.id) over w is null as is_last
    from operation_logs l where l.agent_id = $1 window w as (order by l.sequence)) chain`

type Known = {
  agent_id: string
  entry_count: string | null
  head_hash: Buffer | null
  from_sequence: string | null
  from_hash: Buffer | null
}
const KNOWN = `
  select agent_id, h.entry_count, h.head_hash, a.sequence as from_sequence, a.hash as from_hash
  from (select distinct agent_id from operation_logs) l full join operation_log_heads h using (agent_id)
    full join operation_log_anchors a using (agent_id) order by agent_id`

/** Checks the whole log in one snapshot. `sound` when every problem is 0. */
export async function verifyLog(client: pg.Client | pg.PoolClient): Promise<LogCheck> {
  await client.query('begin isolation level repeatable read read only')
  await client.query(`set local app.scope = 'all'`)
  // The index of the chains gives the rows in their order; sorting them would fill the disk.
  await client.query('set local enable_sort = off; set local enable_seqscan = off')
  const { rows: known } = await client.query<Known>(KNOWN)
  const figures = { agents: known.length, entries: 0, anchors: 0 }
  const problems = { broken_chains: 0, ends_unlike_rows: 0, chains_without_end: 0 }
  for (const { agent_id, entry_count, head_hash, from_sequence, from_hash } of known) {
    const { rows } = await client.query<{
      entries: string
      last: string
      broken: string
      head: Buffer | null
    }>(CHAIN, [agent_id, from_sequence ?? 0, from_hash])
    const chain = rows[0] as (typeof rows)[number]
    figures.entries += Number(chain.entries)
    figures.anchors += from_sequence === null ? 0 : 1
    problems.broken_chains += Number(chain.broken)
    if (entry_count === null || head_hash === null) {
      problems.chains_without_end += 1
      continue
    }
    const isEmpty = Number(chain.entries) === 0
    const last = isEmpty ? (from_sequence ?? '0') : chain.last
    const head = isEmpty ? from_hash : chain.head
    if (last !== entry_count || !head?.equals(head_hash)) problems.ends_unlike_rows += 1
  }
  await client.query('commit')
  const sound = Object.values(problems).every(count => count === 0)
  const told = Object.entries({ ...figures, ...problems }).map(([name, count]) => `${name}=${count}`)
  return { sound, figures, problems, line: `operation log ${sound ? 'sound' : 'ALTERED'} ${told.join(' ')}` }
}
