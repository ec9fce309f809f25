// Checks that the operation log is whole: each agent's chain, where it ends and where it begins, and what waits for its link. One agent
// after the other in the order of an index, so that neither side holds more than a few rows.
import type { KeyObject } from 'node:crypto'
import type pg from 'pg'
import type { Book } from '#server/checkpoints/checkpoints.ts'
import { forgedRedactions } from '#server/redact-log.ts'
import { linkAll } from './server-link.ts'

export const LOG_BOOK: Book = {
  name: 'operation-log',
  table: 'operation_log_links',
  sequence: 'operation_logs_id_seq',
  drops: true,
  complete: linkAll,
}

export type LogCheck = {
  sound: boolean
  line: string
  figures: Record<'agents' | 'entries' | 'waiting' | 'anchors' | 'redacted', number>
  problems: Record<keyof typeof PROBLEMS, number>
}

/** What each figure of a problem counts. */
const PROBLEMS = {
  broken_chains: 'links that do not follow from the one before, from the anchor or from their row',
  ends_unlike_rows: 'chains whose last link is not the one that their end names',
  chains_without_end: 'agents with rows and no end, or an end and an anchor that disagree',
  rows_without_link: 'rows that have no link and do not wait for one, or links and waits that have no row',
  waiting_altered: 'rows that wait for their link and are not what was written, or are gone',
  waiting_long: 'rows that have waited for minutes',
  forged_redactions: 'rows of which a person was erased, as this office has not signed them',
} as const

/** A transaction that has run for longer holds up whatever was written since it began. */
const WAITING_MINUTES = 5

const CHAIN = `
  select count(*) as entries, coalesce(max(sequence), 0) as last,
    count(*) filter (where sequence <> expected_sequence or hash is distinct from expected_hash) as broken,
    (array_agg(hash order by sequence desc) filter (where is_last))[1] as head
  from (
    select k.sequence, k.hash,
      coalesce(lag(k.sequence) over w, $2::bigint) + 1 as expected_sequence,
      case when l.id is null then null
        -- Of a row of which a person was erased its link is what it was, and the row what was signed.
        when e.id is not null then case when e.link_hash = k.hash and e.row_hash = operation_log_hash(null, l, 0) then k.hash end
        else operation_log_hash(coalesce(lag(k.hash) over w, $3::bytea), l, k.sequence) end as expected_hash,
      lead(k.id) over w is null as is_last
    from operation_log_links k left join operation_logs l on l.id = k.id and l.created_at = k.created_at
      left join operation_log_erasures e on e.id = k.id and e.created_at = k.created_at and e.agent_id = k.agent_id
    where k.agent_id = $1 window w as (order by k.sequence)) chain`

type Known = {
  agent_id: string
  rows: string
  entry_count: string | null
  head_hash: Buffer | null
  from_sequence: string | null
  from_hash: Buffer | null
  waiting: string
  waiting_altered: string
  waiting_long: string
}
const KNOWN = `
  select agent_id, coalesce(l.rows, 0) as rows, h.entry_count, h.head_hash, a.sequence as from_sequence, a.hash as from_hash,
    coalesce(w.waiting, 0) as waiting, coalesce(w.waiting_altered, 0) as waiting_altered, coalesce(w.waiting_long, 0) as waiting_long
  from (select agent_id, count(*) as rows from operation_logs group by agent_id) l
    full join operation_log_heads h using (agent_id) full join operation_log_anchors a using (agent_id)
    full join (select w.agent_id, count(*) as waiting,
        count(*) filter (where l.id is null or w.row_hash is distinct from operation_log_hash(null, l, 0)) as waiting_altered,
        count(*) filter (where w.created_at < now() - make_interval(mins => ${WAITING_MINUTES})) as waiting_long
      from operation_log_waiting w left join operation_logs l on l.id = w.id and l.created_at = w.created_at
      group by w.agent_id) w using (agent_id)
  order by agent_id`

/**
 * Links what can be linked, then checks the whole log in one snapshot. `sound` when every problem is 0. `key`: what signs checkpoints here;
 * null where nothing was ever signed.
 */
export async function verifyLog(
  client: pg.Client | pg.PoolClient,
  key: KeyObject | null = null,
): Promise<LogCheck> {
  await linkAll(client)
  await client.query('begin isolation level repeatable read read only')
  await client.query(`set local app.scope = 'all'`)
  const { rows: known } = await client.query<Known>(KNOWN)
  // The index of the chains gives the links in their order; sorting them would fill the disk.
  await client.query('set local enable_sort = off; set local enable_seqscan = off')
  const figures = { agents: known.length, entries: 0, waiting: 0, anchors: 0, redacted: 0 }
  const problems = {
    ...{ broken_chains: 0, ends_unlike_rows: 0, chains_without_end: 0 },
    ...{ rows_without_link: 0, waiting_altered: 0, waiting_long: 0 },
    forged_redactions: 0,
  }
  for (const of of known) {
    const { rows } = await client.query<{
      entries: string
      last: string
      broken: string
      head: Buffer | null
    }>(CHAIN, [of.agent_id, of.from_sequence ?? 0, of.from_hash])
    const chain = rows[0] as (typeof rows)[number]
    figures.entries += Number(chain.entries)
    figures.waiting += Number(of.waiting)
    figures.anchors += of.from_sequence === null ? 0 : 1
    problems.broken_chains += Number(chain.broken)
    problems.rows_without_link += Math.abs(Number(of.rows) - Number(chain.entries) - Number(of.waiting))
    problems.waiting_altered += Number(of.waiting_altered)
    problems.waiting_long += Number(of.waiting_long)
    const isEmpty = Number(chain.entries) === 0
    if (of.entry_count === null) {
      // An agent whose first rows still wait has no end yet.
      if (!isEmpty || of.from_sequence !== null) problems.chains_without_end += 1
      continue
    }
    const last = isEmpty ? (of.from_sequence ?? '0') : chain.last
    const head = isEmpty ? of.from_hash : chain.head
    if (last !== of.entry_count || !sameHash(head, of.head_hash)) problems.ends_unlike_rows += 1
  }
  const { redacted, forged } = await forgedRedactions(client, key)
  figures.redacted = redacted
  problems.forged_redactions = forged
  await client.query('commit')
  const sound = Object.values(problems).every(count => count === 0)
  const told = Object.entries({ ...figures, ...problems }).map(([name, count]) => `${name}=${count}`)
  return { sound, figures, problems, line: `operation log ${sound ? 'sound' : 'ALTERED'} ${told.join(' ')}` }
}

function sameHash(one: Buffer | null, other: Buffer | null): boolean {
  return one === null || other === null ? one === other : one.equals(other)
}
