// Warns by each account's own thresholds: of ending terms once a day, of a low balance once per fall.
import { isWorkedOn } from '#features/office/reference-data/server-calendar.ts'
import { formatDay, formatInstant } from '#kit/time.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { settingOf } from '#server/office/settings.ts'
import { actAsSystem, readAsSystem } from '#server/system.ts'
import {
  EXPIRING_DAYS,
  isWarningHour,
  LOW_AGAIN_DAYS,
  LOW_SMS,
  LOW_TOKENS,
  type Thresholds,
  thresholdsOf,
  WARN_FROM,
  WARN_UNTIL,
  type WarningKind,
  warningOf,
} from './rules.ts'
import { notify } from './server-notify.ts'
import { noticeTextsIn } from './server-texts.ts'

type Found = { kind: WarningKind; account_ids: string[]; value: string; days: number; day: string }

const TOLD_AT_ONCE = 100

/** When an owner is warned who has chosen nothing. */
export async function usualThresholds(ctx: Ctx): Promise<Thresholds> {
  const [tokens, sms, days] = await Promise.all(
    [LOW_TOKENS, LOW_SMS, EXPIRING_DAYS].map(one => settingOf(ctx, one)),
  )
  return thresholdsOf(tokens as number, sms as number, days as number)
}

/** In the hours of Shanghai in which people are warned. */
export async function warnInHours(services: Services, now: Date): Promise<void> {
  const isTime = await readAsSystem(services, async ctx => {
    const hour = Number(formatInstant(now).slice(11, 13))
    return isWarningHour(hour, await settingOf(ctx, WARN_FROM), await settingOf(ctx, WARN_UNTIL))
  })
  if (isTime) await warnAccounts(services, now)
}

/** Tells everyone who is below on this day and was not told of it yet. */
export async function warnAccounts(services: Services, now: Date): Promise<void> {
  const found = await readAsSystem(services, async ctx => {
    const warnings = await findWarnings(ctx, now)
    // Nobody renews a shop on a holiday; a balance may run out on any day.
    const works = await isWorkedOn(ctx, formatDay(now))
    return works ? warnings : warnings.filter(({ kind }) => kind !== 'expiring')
  })
  for (let from = 0; from < found.length; from += TOLD_AT_ONCE)
    await actAsSystem(services, 'warn-accounts', async ctx => {
      const textOf = await noticeTextsIn(ctx)
      for (const one of found.slice(from, from + TOLD_AT_ONCE)) {
        const { text, values, ...warning } = warningOf(one.kind, Number(one.value), one.days)
        await notify(ctx, {
          ...warning,
          ...textOf(text, values),
          accountIds: one.account_ids.map(Number),
          args: { kind: one.kind, value: Number(one.value) },
          onceKey: `${one.kind} ${one.day}`,
        })
      }
    })
}

/**
 * Balances and counts of days are kept: shops are counted only of who sees its own alone. Entries are read only of who was told lately, for
 * whether the balance rose since.
 */
async function findWarnings(ctx: Ctx, now: Date): Promise<Found[]> {
  const { tokenCents, sms, expiringDays } = await usualThresholds(ctx)
  const { rows } = await ctx.client.query<Found>(
    `with today as (select shanghai_day($5::timestamptz) as day),
    watched as (
      select a.id as account_id, a.agent_id, a.data_scope,
        case when t.account_id is null then $1::bigint else t.token_cents end as token_cents,
        case when t.account_id is null then $2::bigint else t.sms end as sms,
        case when t.account_id is null then $3::int else t.expiring_days end as expiring_days
      from accounts a join agents g on g.id = a.agent_id and g.enabled
      left join notice_thresholds t on t.account_id = a.id
      where a.enabled and (a.is_owner or t.account_id is not null)),
    low as (
      select l.asset as kind, w.account_id, w.agent_id, l.balance as value, l.id as ledger_id,
        case l.asset when 'token' then w.token_cents else w.sms end as threshold
      from watched w join ledger_accounts l on l.owner_kind = 'agent' and l.owner_id = w.agent_id
      where l.balance < case l.asset when 'token' then w.token_cents else w.sms end),
    warned as (
      select kind, account_id, agent_id, value, 0 as days from low, today
      where not exists (select 1 from notices n
        where n.account_id = low.account_id
          and n.once_key in (select low.kind || ' ' || (today.day - back) from generate_series(0, $4::int - 1) back)
          and not exists (select 1 from ledger_entries e
            where e.account_id = low.ledger_id and e.created_at > n.created_at and e.balance_after >= low.threshold))
      union all
      select 'expiring', w.account_id, w.agent_id, e.value, w.expiring_days
      from (select agent_id, expiring_days from watched where expiring_days is not null and data_scope = 'all' group by 1, 2) terms
      join lateral (select sum(m.expiring) as value from merchant_days m, today
        where m.agent_id = terms.agent_id and m.day between today.day and today.day + terms.expiring_days) e on e.value > 0
      join watched w on w.agent_id = terms.agent_id and w.expiring_days = terms.expiring_days and w.data_scope = 'all'
      union all
      select 'expiring', w.account_id, w.agent_id, e.value, w.expiring_days
      from watched w, lateral (select count(*) as value from merchants m, today
        where m.manager_id = w.account_id and m.agent_id = w.agent_id
          and shanghai_day(m.expires_at) between today.day and today.day + w.expiring_days) e
      where w.data_scope = 'own' and w.expiring_days is not null and e.value > 0)
    select kind, array_agg(account_id) as account_ids, value, days, today.day::text as day
    from warned, today
    where not exists (select 1 from notices n
      where n.account_id = warned.account_id and n.once_key = kind || ' ' || today.day)
    group by kind, agent_id, value, days, today.day
    order by agent_id, kind`,
    [tokenCents, sms, expiringDays, LOW_AGAIN_DAYS, now],
  )
  return rows
}
