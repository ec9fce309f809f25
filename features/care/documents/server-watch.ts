// Papers that end soon: the shop's agent is told 60 and 15 days before, once each; of the vendor's own shops the vendor's staff.
import { isWarningHour, WARN_FROM, WARN_UNTIL } from '#features/office/notices/rules.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { isWorkedOn } from '#features/office/reference-data/server-calendar.ts'
import { addDays, daysBetween, formatDay, formatInstant } from '#kit/time.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { settingOf } from '#server/office/settings.ts'
import { actAsSystem, readAsSystem } from '#server/system.ts'
import { DOCUMENT_KINDS, type DocumentKind, WARN_DAYS, warningMark } from './rules.ts'

/** Papers of one transaction. */
const AT_ONCE = 200

/** On days that are worked on, in the hours in which people are warned; what fell on another day is told on the next. */
export async function warnInHours(services: Services, now: Date): Promise<void> {
  const isTime = await readAsSystem(services, async ctx => {
    const hour = Number(formatInstant(now).slice(11, 13))
    const isHour = isWarningHour(hour, await settingOf(ctx, WARN_FROM), await settingOf(ctx, WARN_UNTIL))
    return isHour && (await isWorkedOn(ctx, formatDay(now)))
  })
  if (isTime) await warnOfEnds(services, formatDay(now))
}

/** Answers how many notices went out: one for a shop, with all of its papers that have come to a mark. */
export async function warnOfEnds(services: Services, today: string): Promise<number> {
  let told = 0
  for (;;) {
    const part = await actAsSystem(services, 'papers that end', ctx => warnPart(ctx, today))
    told += part.told
    if (part.papers < AT_ONCE) return told
  }
}

type Ending = {
  id: string
  kind: DocumentKind
  expires_on: string
  merchant_id: string
  shop_name: string
  agent_id: string
  is_operator: boolean
}

async function warnPart(ctx: Ctx, today: string): Promise<{ told: number; papers: number }> {
  const [first, last] = WARN_DAYS
  const { rows } = await ctx.client.query<Ending>(
    `select d.id, d.kind, d.expires_on::text, d.merchant_id, m.shop_name, d.agent_id, a.is_operator
     from documents d join merchants m on m.id = d.merchant_id join agents a on a.id = d.agent_id
     where d.state = 'current' and d.expires_on between $1::date and $2::date and m.status = 'normal'
       and (d.warned_days is null or d.warned_days > $4 and d.expires_on <= $3::date)
     order by d.merchant_id, d.expires_on, d.id limit ${AT_ONCE} for update of d skip locked`,
    [today, addDays(today, first), addDays(today, last), last],
  )
  let told = 0
  for (const papers of Map.groupBy(rows, row => row.merchant_id).values())
    told += await notifyOf(ctx, today, papers as [Ending, ...Ending[]])
  for (const { id, expires_on: day } of rows)
    await ctx.client.query('update documents set warned_days = $2 where id = $1', [
      id,
      warningMark(daysTo(today, day)),
    ])
  return { told, papers: rows.length }
}

const daysTo = (today: string, day: string) => daysBetween(`${today}T00:00:00+08:00`, `${day}T00:00:00+08:00`)

function notifyOf(ctx: Ctx, today: string, papers: readonly [Ending, ...Ending[]]): Promise<number> {
  const [{ merchant_id: shop, shop_name: shopName, agent_id: agent, is_operator: isVendors }] = papers
  const texts = papers.map(({ kind, expires_on: day }) => {
    const left = daysTo(today, day)
    return `${DOCUMENT_KINDS[kind]} ${day} 到期（${left === 0 ? '今天' : `还有 ${left} 天`}）`
  })
  const merchantId = Number(shop)
  return notify(ctx, {
    ...(isVendors ? { vendor: 'staff' } : { agentId: Number(agent) }),
    holding: 'documents.view',
    merchantId,
    topic: 'Document_Notify',
    title: `${shopName}的证件即将到期`,
    body: `${texts.join('、')}，请及时更换。`,
    link: `/admin/merchant/merchantDetails?user_id=${merchantId}`,
    args: { merchantId },
  })
}
