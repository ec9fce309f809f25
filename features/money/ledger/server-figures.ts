// What /metrics tells of the ledger. Its whole is checked by `npm run ledger:verify`, which reads every row.
import { type Lent, SYSTEM } from '#server/db.ts'
import type { ReadFigure } from '#server/metrics.ts'

export const NEWEST_ENTRIES = 1_000

/**
 * In one statement, so that all of it is of one moment. The limits are for the planner: without them it reads whole tables
 * to find what belongs to these entries.
 */
const DRIFT = `
  with newest as materialized (select * from ledger_entries order by id desc limit ${NEWEST_ENTRIES})
  select
    (select count(*) from (select distinct transfer_id from newest) t cross join lateral (
        select count(*) as n, sum(e.amount) as total from ledger_entries e where e.transfer_id = t.transfer_id) e
      where e.n <> 2 or e.total <> 0) as unbalanced_transfers,
    (select count(*) from newest e left join lateral (
        select b.balance_after from ledger_entries b where b.account_id = e.account_id and b.sequence = e.sequence - 1 limit 1) b on true
      where e.sequence is not null
        and (e.balance_before <> coalesce(b.balance_after, 0) or e.balance_after <> e.balance_before + e.amount)) as broken_chains,
    (select count(*) from (select distinct account_id from newest where sequence is not null) n
        cross join lateral (select * from ledger_accounts a where a.id = n.account_id limit 1) a left join lateral (
        select l.balance_after, l.hash from ledger_entries l where l.account_id = a.id and l.sequence = a.entry_count limit 1) l on true
      where l.balance_after is distinct from a.balance or l.hash is distinct from a.head_hash) as balances_unlike_entries`

export const LEDGER_DRIFT: ReadFigure = {
  name: 'ledger_drift',
  help: `Places among the newest ${NEWEST_ENTRIES} entries where a promise of the ledger does not hold; 0 is sound`,
  label: 'problem',
  read: database => database.read(SYSTEM, ({ client }) => readDrift(client)),
}

/** Places by problem. Only what sees all agents' rows can tell. */
export async function readDrift(client: Lent['client']): Promise<Record<string, number>> {
  const { rows } = await client.query<Record<string, string>>(DRIFT)
  return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([problem, count]) => [problem, Number(count)]))
}
