// Campaigns as people make them: drafted, previewed, confirmed; and the loop that writes their messages, one look at a time.
import assert from 'node:assert/strict'
import { workOnCampaigns } from '#features/care/campaigns/server-work.ts'
import type { Client, Office } from './app.ts'
import { makeMerchants } from './make.ts'

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
  await makeMerchants(office, agentId, count, () => ({ account: `19${String(++phones).padStart(9, '0')}` }))
}
