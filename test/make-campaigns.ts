// Campaigns as people make them: drafted, previewed, confirmed; and the loop that writes their messages, one look at a time.
import assert from 'node:assert/strict'
import { workOnCampaigns } from '#features/campaigns/server-work.ts'
import type { Client, Office } from './app.ts'
import { makeMerchant } from './make.ts'

export const TEXT = { templateKey: 'renewal-offer', params: { offer: '八折' } }

type Changes = Partial<Parameters<Client['campaigns']['save']>[0]>

/** A draft as it was written, and what it was shown to reach and cost. */
export async function drafted(as: Client, changes: Changes = {}) {
  const draft = { name: '续费优惠', ...TEXT, audience: {}, scheduledAt: null, ...changes }
  const { id, revision } = await as.campaigns.save(draft)
  const { shops, segments } = await as.campaigns.preview(draft)
  return { id, revision, shops, segments }
}

export async function sent(as: Client, changes: Changes = {}) {
  const confirmed = await drafted(as, changes)
  await as.campaigns.send(confirmed)
  return confirmed
}

/** Works until nothing more is to be done. */
export async function workThrough(office: Office): Promise<void> {
  for (let round = 0; round < 20; round++) if (!(await workOnCampaigns(office.app.services))) return
  assert.fail('there is always more to do')
}

let phones = 0

/** Many shops of an agent, with one statement. */
export async function manyShops(office: Office, agentId: number, count: number): Promise<void> {
  const first = await makeMerchant(office, agentId)
  const { rows } = await office.owner.query<{ names: string }>(
    `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
     where table_name = 'merchants' and column_name not in ('id', 'account', 'search_text')`,
  )
  const names = rows[0]?.names
  await office.owner.query(
    `insert into merchants (id, account, ${names})
     select nextval('merchant_ids'), '19' || lpad(($2::int + n)::text, 9, '0'), ${names}
     from merchants, generate_series(1, $3::int) n where id = $1`,
    [first, phones, count - 1],
  )
  phones += count
}
