// Finds all sums anew from what they are kept from, and counts where the kept ones differ.
import type pg from 'pg'

const UNLIKE = `
  select (select count(*) from (
      select agent_id, month, kind, sum(entries) as entries, sum(amount) as amount from insight_sums
      group by 1, 2, 3 having sum(entries) <> 0 or sum(amount) <> 0) as kept
    full join (select * from insight_sums_found where entries <> 0 or amount <> 0) as found using (agent_id, month, kind)
    where kept.entries is distinct from found.entries or kept.amount is distinct from found.amount) as sums,
  (select count(*) from (select * from renewed_terms where orders <> 0) as kept
    full join insight_terms_found as found using (merchant_id, day, agent_id)
    where kept.orders is distinct from found.orders) as terms,
  (select count(*) from (
      select version_id, month, kind, coalesce(ends, 'infinity') as ends, sum(shops) as shops from insight_cohorts
      group by 1, 2, 3, 4 having sum(shops) <> 0) as kept
    full join (select version_id, month, kind, coalesce(ends, 'infinity') as ends, shops from insight_cohorts_found) as found
      using (version_id, month, kind, ends)
    where kept.shops is distinct from found.shops) as cohorts`

/** In one snapshot, as the owner. All 0 is sound. */
export async function verifyInsights(
  owner: pg.Client | pg.Pool | pg.PoolClient,
): Promise<{ sums: number; terms: number; cohorts: number }> {
  const { rows } = await owner.query<{ sums: string; terms: string; cohorts: string }>(UNLIKE)
  const [unlike] = rows
  return { sums: Number(unlike?.sums), terms: Number(unlike?.terms), cohorts: Number(unlike?.cohorts) }
}
