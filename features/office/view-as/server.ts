// Looking through another's account: a session of its own beside the viewer's, read-only (server/serve.ts), for half an hour.
import { and, asc, eq, type SQL } from 'drizzle-orm'
import { removeSession, startView } from '#features/office/access/server-sessions.ts'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatInstant } from '#kit/time.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import { viewAs as contract } from './contract.ts'
import { REFUSALS, refuseView, VIEW_MINUTES } from './rules.ts'

const viewAgent: Verb<typeof contract.agent> = (ctx, { id }) =>
  view(ctx, and(eq(agents.id, id), accounts.isOwner))

const viewStaff: Verb<typeof contract.staff> = (ctx, { id }) => {
  if (!ctx.actor.isOwner) refuse('VIEW_OWNER_ONLY', REFUSALS)
  return view(ctx, and(eq(accounts.id, id), eq(accounts.agentId, ctx.actor.agentId)))
}

async function view(ctx: Ctx, which: SQL | undefined): Promise<Out<typeof contract.agent>> {
  const [row] = await ctx.db
    .select({
      accountId: accounts.id,
      agentId: accounts.agentId,
      name: accounts.name,
      loginName: accounts.loginName,
      companyName: agents.companyName,
      isAccountEnabled: accounts.enabled,
      isAgentEnabled: agents.enabled,
    })
    .from(accounts)
    .innerJoin(agents, eq(agents.id, accounts.agentId))
    .where(and(which, ownRows(ctx, accounts.agentId)))
    .orderBy(asc(accounts.id))
    .limit(1)
  const viewed = found(row)
  const { accountId, agentId } = viewed
  const isEnabled = viewed.isAccountEnabled && viewed.isAgentEnabled
  refuse(refuseView(ctx.actor, { accountId, agentId, isEnabled }), REFUSALS)
  const until = new Date(ctx.now.getTime() + VIEW_MINUTES * 60_000)
  await startView(ctx, { accountId, agentId }, until)
  const clock = formatInstant(until).slice(11, 16)
  await notify(ctx, {
    accountIds: [accountId],
    topic: 'View_Notify',
    title: '您的账号正被查看',
    body: `${ctx.actor.companyName} ${ctx.actor.name} 以您的身份查看，只读，最晚 ${clock} 结束`,
  })
  ctx.about(agentId)
  ctx.note(`${viewed.companyName} ${viewed.name} (${viewed.loginName})`, [
    { name: '最晚结束', before: null, after: clock },
  ])
  return { name: viewed.name, until: until.toISOString() }
}

const endView: Verb<typeof contract.end> = async ctx => {
  const { sessionId, accountId, viewer } = ctx.actor
  if (viewer) await removeSession(ctx, { id: sessionId, accountId })
  ctx.request.setView(null)
  return { ended: true }
}

export const viewAsRouter = serve(contract, { agent: viewAgent, staff: viewStaff, end: endView })
