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
    where kept.orders is distinct from found.orders) as terms`

/** In one snapshot, as the owner. 0 and 0 is sound. */
export async function verifyInsights(
  owner: pg.Client | pg.Pool | pg.PoolClient,
): Promise<{ sums: number; terms: number }> {
  const { rows } = await owner.query<{ sums: string; terms: string }>(UNLIKE)
  return { sums: Number(rows[0]?.sums), terms: Number(rows[0]?.terms) }
}
