// Whoever made a key is told before it ends, a week and a day ahead; a key whose term was moved is told of anew.
import { notify } from '#features/office/notices/server-notify.ts'
import { noticeTextsIn } from '#features/office/notices/server-texts.ts'
import { formatDay } from '#kit/time.ts'
import type { Services } from '#server/ctx.ts'
import type { Job } from '#server/jobs.ts'
import { actAsSystem } from '#server/system.ts'
import { WARN_DAYS } from './rules.ts'
import { lastDayOf } from './server-list.ts'

const ENDING = `select id, account_id, name, expires_at from api_keys
  where ended_at is null and expires_at > now() and expires_at <= now() + make_interval(days => $1) order by id`

/** Answers how many were told. */
export async function warnOfEnds(services: Services): Promise<number> {
  return actAsSystem(services, 'api-keys expiry', async ctx => {
    const ending = await ctx.client.query<{ id: string; account_id: string; name: string; expires_at: Date }>(
      ENDING,
      [Math.max(...WARN_DAYS)],
    )
    const textOf = await noticeTextsIn(ctx)
    let toldOf = 0
    for (const { id, account_id, name, expires_at } of ending.rows) {
      const days = (expires_at.getTime() - ctx.now.getTime()) / 86_400_000
      const stage = WARN_DAYS.findLast(one => days <= one)
      const expiresOn = lastDayOf(expires_at.toISOString())
      const when = expiresOn === formatDay(ctx.now) ? '今天' : `${expiresOn} `
      toldOf += await notify(ctx, {
        accountIds: [Number(account_id)],
        topic: 'ApiKey_Notify',
        ...textOf('api-key-ending', { key: name, day: when }),
        link: '/admin/account/apiKeys',
        onceKey: `api-key expiry ${id} ${expiresOn} ${stage}`,
      })
    }
    return toldOf
  })
}

export const jobs: readonly Job[] = [
  // By day in Shanghai, so that nobody is told at night.
  {
    name: 'warn-of-api-keys',
    cron: '7 1-12 * * *',
    async run(_, services) {
      await warnOfEnds(services)
    },
  },
]
