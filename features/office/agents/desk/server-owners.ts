// The owner of an agency has nobody in it who may help: the operator takes lost factors away, and ends where the owner is signed in.
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { endSessions } from '#features/office/access/server-sessions.ts'
import { accounts, sessions } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { resetFactors } from '#features/office/factors/server.ts'
import { withFactor } from '#features/office/factors/server-prove.ts'
import { countText } from '#kit/money.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import type { agentDesk as contract } from './contract.ts'
import { OWNER_REFUSALS, refuseChecked, refuseReset } from './rules.ts'

const selectOwners = (ctx: Ctx, agentId: number) =>
  ctx.db
    .select({
      id: accounts.id,
      name: accounts.name,
      loginName: accounts.loginName,
      companyName: agents.companyName,
      hasFactor: withFactor(accounts.id),
      /** What one browser began is one device. */
      devices: sql<number>`(select count(distinct coalesce(encode(s.device_hash, 'hex'), s.id::text))::int from ${sessions} s
        where s.account_id = ${accounts.id} and s.viewed_by is null and s.expires_at > now()
          and s.last_seen_at > now() - make_interval(mins => ${ctx.services.env.sessionIdleMinutes}::int))`,
    })
    .from(accounts)
    .innerJoin(agents, eq(agents.id, accounts.agentId))
    .where(
      and(
        eq(accounts.agentId, agentId),
        accounts.isOwner,
        isNull(accounts.deletedAt),
        ownRows(ctx, accounts.agentId),
      ),
    )
    .orderBy(asc(accounts.id))

export const listOwners: Verb<typeof contract.owners> = async (ctx, { id }) => ({
  rows: await selectOwners(ctx, id),
})

type Which = { id: number; accountId: number }

async function ownerOf(ctx: Ctx, { id, accountId }: Which) {
  const owner = found((await selectOwners(ctx, id)).find(one => one.id === accountId))
  ctx.about(id)
  ctx.object('account', accountId)
  return { ...owner, told: `${owner.companyName} ${owner.name}（${owner.loginName}）` }
}

export const resetOwnerFactors: Verb<typeof contract.resetOwnerFactors> = async (
  ctx,
  { checked, ...which },
) => {
  refuse(refuseChecked(checked), OWNER_REFUSALS, { field: 'checked' })
  const owner = await ownerOf(ctx, which)
  refuse(refuseReset(ctx.actor.accountId, owner), OWNER_REFUSALS)
  await resetFactors(ctx, owner.id)
  ctx.note(owner.told, [
    { name: '二次验证', before: '已设置', after: '已重置' },
    { name: '核实方式', before: null, after: checked.trim() },
  ])
  return { done: true }
}

export const endOwnerSessions: Verb<typeof contract.endOwnerSessions> = async (ctx, which) => {
  const owner = await ownerOf(ctx, which)
  if (owner.id === ctx.actor.accountId) refuse('OWNER_SELF', OWNER_REFUSALS)
  await endSessions(ctx, owner.id)
  ctx.note(owner.told, [{ name: '登录设备', before: countText(owner.devices, '个'), after: '已下线' }])
  if (owner.devices === 0) ctx.nothingChanged()
  return { ended: owner.devices }
}
