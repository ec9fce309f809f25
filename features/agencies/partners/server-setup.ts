// The first partner: taken on, and signed in.
import { and, desc, eq, isNotNull, ne } from 'drizzle-orm'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import type { SetupStep } from '#server/ctx.ts'
import { INVITATION_STATES, invitationState } from './rules.ts'
import { partnerInvitations as invitations } from './tables.ts'

const isPartner = and(eq(agents.isVendorStaff, false), ne(agents.isOperator, true))

export const setup: readonly SetupStep[] = [
  {
    key: 'partners.first',
    label: '第一个合作伙伴',
    for: 'operator',
    permission: 'partners.manage',
    order: 100,
    path: '/admin/operations/agents',
    async read(ctx) {
      const [here] = await ctx.db
        .select({ id: agents.id })
        .from(accounts)
        .innerJoin(agents, eq(agents.id, accounts.agentId))
        .where(and(isPartner, isNotNull(accounts.lastLoginAt)))
        .limit(1)
      if (here) return { state: 'done', words: '已有合作伙伴登录' }
      const [one] = await ctx.db
        .select({ id: agents.id, companyName: agents.companyName })
        .from(agents)
        .where(isPartner)
        .orderBy(desc(agents.id))
        .limit(1)
      if (!one) return { state: 'open', words: '还没有合作伙伴：新增一个，把邀请链接发给负责人。' }
      const [last] = await ctx.db
        .select()
        .from(invitations)
        .where(and(eq(invitations.agentId, one.id), eq(invitations.isReset, false)))
        .orderBy(desc(invitations.id))
        .limit(1)
      const state = last && invitationState(last, ctx.now.getTime())
      const path = `/admin/operations/agents/${one.id}`
      if (state === 'expired' || state === 'revoked')
        return {
          state: 'broken',
          words: `「${one.companyName}」的邀请${INVITATION_STATES[state]}，负责人进不来：请重发邀请。`,
          path,
        }
      const words =
        state === 'open'
          ? `「${one.companyName}」还没有设置密码：邀请链接可以在这里再次复制或扫码。`
          : `「${one.companyName}」还没有登录过。`
      return { state: 'open', words, path }
    },
  },
]
