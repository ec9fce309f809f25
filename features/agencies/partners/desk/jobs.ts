// Contracts that are about to end: the operator and the partner's owners are told, once for each mark that a contract comes to.
import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { daysBetween, formatDay } from '#kit/time.ts'
import type { Services } from '#server/ctx.ts'
import type { Job } from '#server/jobs.ts'
import { settingOf } from '#server/office/settings.ts'
import { actAsSystem } from '#server/system.ts'
import { CONTRACT_DAYS, endingContracts, partnerPath, reminderStage } from './rules.ts'

/** Contracts of one transaction. */
const AT_ONCE = 100

/** Answers how many accounts were told. `today` of Asia/Shanghai. */
export async function remindOfContracts(services: Services, today: string): Promise<number> {
  let told = 0
  for (let after = 0; ; ) {
    const done = await actAsSystem(services, 'contract reminders', async ctx => {
      const days = await settingOf(ctx, CONTRACT_DAYS)
      const { from, to } = endingContracts(today, days)
      const ending = await ctx.db
        .select({ id: agents.id, companyName: agents.companyName, contractTo: agents.contractTo })
        .from(agents)
        .where(
          and(
            sql`${agents.contractTo} between ${from} and ${to}`,
            ne(agents.status, 'closed'),
            sql`${agents.id} > ${after}`,
          ),
        )
        .orderBy(agents.id)
        .limit(AT_ONCE)
      const owners = await ctx.db
        .select({ id: accounts.id, agentId: accounts.agentId })
        .from(accounts)
        .where(
          and(
            inArray(
              accounts.agentId,
              ending.map(({ id }) => id),
            ),
            eq(accounts.isOwner, true),
            isNull(accounts.deletedAt),
          ),
        )
      for (const { id, companyName, contractTo } of ending) {
        const left = daysBetween(`${today}T00:00:00+08:00`, `${contractTo}T00:00:00+08:00`)
        const stage = reminderStage(left, days)
        if (contractTo === null || stage === null) continue
        const when = left === 0 ? '今天' : `${contractTo} `
        const onceKey = `contract ${id} ${contractTo} ${stage}`
        const rest = left === 0 ? '' : `，还有 ${left} 天`
        told += await notify(ctx, {
          vendor: 'operator',
          topic: 'Partner_Notify',
          title: '合作伙伴的合同即将到期',
          body: `${companyName}的合同${when}到期${rest}，请及时续签或办理停止合作。`,
          link: partnerPath(id),
          args: { agentId: id },
          onceKey,
        })
        told += await notify(ctx, {
          accountIds: owners.filter(({ agentId }) => agentId === id).map(owner => owner.id),
          topic: 'Partner_Notify',
          title: '合作合同即将到期',
          body: `贵公司的合作合同${when}到期${rest}，请联系厂商续签。`,
          link: '/admin/index',
          onceKey: `own ${onceKey}`,
        })
      }
      return ending
    })
    const last = done.at(-1)
    if (done.length < AT_ONCE || !last) return told
    after = last.id
  }
}

export const jobs: readonly Job[] = [
  {
    name: 'remind-of-contracts',
    // Daily at 09:11 of Shanghai.
    cron: '11 1 * * *',
    async run(_, services) {
      await remindOfContracts(services, formatDay(services.clock.now()))
    },
  },
]
