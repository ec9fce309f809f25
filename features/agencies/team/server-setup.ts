// Whether others than the first person can sign in.
import { and, eq, isNull, ne } from 'drizzle-orm'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import type { Ctx, SetupStep } from '#server/ctx.ts'

const STAFF = '/admin/account/userControl'
const isHere = and(accounts.enabled, isNull(accounts.deletedAt))

/** Another account of whoever runs the office, in whichever of its agencies. */
async function hasColleague(ctx: Ctx): Promise<boolean> {
  const others = await ctx.db
    .select({ id: accounts.id })
    .from(accounts)
    .innerJoin(agents, eq(agents.id, accounts.agentId))
    .where(and(agents.isVendorStaff, isHere, ne(accounts.id, ctx.actor.accountId)))
    .limit(1)
  return others.length > 0
}

async function hasPeople(ctx: Ctx): Promise<boolean> {
  const { agentId, accountId } = ctx.actor
  const others = await ctx.db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.agentId, agentId), isHere, ne(accounts.id, accountId)))
    .limit(1)
  return others.length > 0
}

export const setup: readonly SetupStep[] = [
  {
    key: 'team.staff',
    label: '同事账号',
    for: 'operator',
    permission: 'team.editStaff',
    order: 90,
    optional: true,
    path: STAFF,
    read: async ctx =>
      (await hasColleague(ctx))
        ? { state: 'done', words: '已有其他人的账号' }
        : { state: 'open', words: '只有您一个账号：退款和清空数据要第二个人审批，请给同事各建一个。' },
  },
  {
    key: 'team.people',
    label: '员工账号',
    for: 'partner',
    permission: 'team.editStaff',
    order: 20,
    optional: true,
    path: STAFF,
    read: async ctx =>
      (await hasPeople(ctx))
        ? { state: 'done', words: '已有员工账号' }
        : { state: 'open', words: '只有负责人账号：请给每位同事各建一个，不要共用密码。' },
  },
]
