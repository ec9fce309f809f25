// Whether others than the first person can sign in.
import { and, eq, isNull, ne, type SQL } from 'drizzle-orm'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import type { Ctx, SetupStep } from '#server/ctx.ts'

const STAFF = '/admin/account/userControl'

/** Whether others than whoever looks have an account there. */
async function hasOthers(ctx: Ctx, there: SQL): Promise<boolean> {
  const others = await ctx.db
    .select({ id: accounts.id })
    .from(accounts)
    .innerJoin(agents, eq(agents.id, accounts.agentId))
    .where(and(there, accounts.enabled, isNull(accounts.deletedAt), ne(accounts.id, ctx.actor.accountId)))
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
      // In whichever agency of the vendor.
      (await hasOthers(ctx, eq(agents.isVendorStaff, true)))
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
      (await hasOthers(ctx, eq(agents.id, ctx.actor.agentId)))
        ? { state: 'done', words: '已有员工账号' }
        : { state: 'open', words: '只有负责人账号：请给每位同事各建一个，不要共用密码。' },
  },
]
