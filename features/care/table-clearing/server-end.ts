// What nobody decided in time is refused, and what is kept no more cannot be brought back.
import { and, eq, lte } from 'drizzle-orm'
import type { Services } from '#server/ctx.ts'
import { settingOf } from '#server/office/settings.ts'
import { actAsSystem } from '#server/system.ts'
import { DECIDE_HOURS, UNDECIDED } from './rules.ts'
import { tellAsker } from './server-ask.ts'
import { takeStep } from './server-rows.ts'
import { tableClearings as clearings } from './tables.ts'

const AT_ONCE = 200

export async function endPast(services: Services): Promise<void> {
  await actAsSystem(services, 'end-table-clearings', async ctx => {
    const { now } = ctx
    const since = new Date(now.getTime() - (await settingOf(ctx, DECIDE_HOURS)) * 3_600_000).toISOString()
    const undecided = await ctx.db
      .select()
      .from(clearings)
      .where(and(eq(clearings.state, 'waiting'), lte(clearings.waitingSince, since)))
      .limit(AT_ONCE)
      .for('update', { skipLocked: true })
    for (const one of undecided) {
      await takeStep(ctx, one, 'reject', { text: UNDECIDED, decision: UNDECIDED, waitingSince: null })
      await tellAsker(ctx, one, '清空数据被驳回', UNDECIDED)
    }
    const past = await ctx.db
      .select()
      .from(clearings)
      .where(and(eq(clearings.state, 'emptied'), lte(clearings.expiresAt, now.toISOString())))
      .limit(AT_ONCE)
      .for('update', { skipLocked: true })
    for (const one of past) await takeStep(ctx, one, 'expire', { text: '备份已过期，不能再恢复' })
  })
}
