// What closing a partner would mean, counted as things stand. Reads other features' tables and writes nothing.
import { and, eq, ne, sql } from 'drizzle-orm'
import { unfinishedCampaigns } from '#features/care/campaigns/server-end-all.ts'
import { balancesOf } from '#features/money/ledger/server.ts'
import { agents } from '#features/office/agents/tables.ts'
import { QUOTE_VALID_MS } from '#features/sales/orders/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
import type { partnerClosing as contract } from './contract.ts'
import {
  type Block,
  blocksOf,
  CLOSING_REFUSALS,
  type Hindrances,
  refusePartner,
  refuseTaker,
} from './rules.ts'
import { partnerClosings } from './tables.ts'

type Figures = Out<typeof contract.rehearse>['figures']

export const rehearse: Verb<typeof contract.rehearse> = async (ctx, { agentId, takerId }) => {
  const partner = found(await partyOf(ctx, agentId))
  const taker = takerId === undefined ? null : await partyOf(ctx, takerId)
  const code = refusePartner(partner) ?? (takerId === undefined ? null : refuseTaker(agentId, taker))
  const refused: { key: string; message: string }[] = code
    ? [{ key: code, message: CLOSING_REFUSALS[code] }]
    : []
  return {
    partner,
    taker,
    figures: await figuresOf(ctx, agentId),
    campaigns: await unfinishedCampaigns(ctx, agentId),
    blocks: [...refused, ...(await hindrancesOf(ctx, agentId))],
  }
}

/** Somebody who gives or takes shops, as the rules judge; null where there is none. */
export async function partyOf(ctx: Ctx, id: number) {
  const [agent] = await ctx.db
    .select({
      id: agents.id,
      companyName: agents.companyName,
      status: agents.status,
      isVendor: sql<boolean>`${agents.isOperator} or ${agents.isVendorStaff}`,
      isClosing: sql<boolean>`exists (select 1 from ${partnerClosings}
        where ${and(eq(partnerClosings.agentId, agents.id), ne(partnerClosings.state, 'done'))})`,
    })
    .from(agents)
    .where(and(eq(agents.id, id), ownRows(ctx, agents.id)))
  return agent ?? null
}

/** What stands in the way of ending this partner. */
export async function hindrancesOf(ctx: Ctx, agentId: number): Promise<Block[]> {
  const { rows } = await ctx.client.query<Hindrances>(
    `select
      (select count(*)::int from agents where parent_id = $1 and status <> 'closed') as children,
      (select count(*)::int from undo_requests where agent_id = $1 and state = 'pending') as undos,
      (select count(*)::int from online_renewals where agent_id = $1 and state in ('paid', 'short', 'stuck')) as renewals,
      (select count(*)::int from partner_closings where taker_id = $1 and state <> 'done') as closings`,
    [agentId],
  )
  return blocksOf(found(rows[0]))
}

async function figuresOf(ctx: Ctx, agentId: number): Promise<Figures> {
  const since = new Date(ctx.now.getTime() - QUOTE_VALID_MS).toISOString()
  const { rows } = await ctx.client.query<Omit<Figures, 'tokenCents' | 'sms'>>(
    `with shops as (
      select count(*)::int as shops, count(*) filter (where store_kind = 'branch')::int as branches,
        count(*) filter (where expires_at > now())::int as running,
        count(*) filter (where expires_at is null)::int as permanent
      from merchants where agent_id = $1)
    select shops, shops - branches as heads, branches, running, shops - running - permanent as expired, permanent,
      (select count(*)::int from merchant_services where agent_id = $1) as services,
      (select coalesce(sum(balance), 0)::int from ledger_accounts
        where owner_kind = 'merchant' and agent_id = $1 and asset = 'sms') as "shopSms",
      (select count(*)::int from version_orders where agent_id = $1 and status = 'quoted' and created_at > $2) as quotes,
      (select count(*)::int from online_renewals where agent_id = $1 and state = 'waiting') as "unpaidRenewals",
      (select count(*)::int from accounts where agent_id = $1 and enabled) as people,
      (select count(*)::int from api_keys where agent_id = $1 and ended_at is null and expires_at > now()) as keys,
      (select count(*)::int from payment_settings where agent_id = $1 and enabled and replaced_at is null) as "ownAccounts"
    from shops`,
    [agentId, since],
  )
  return { ...found(rows[0]), ...(await balancesOf(ctx, agentId)) }
}
