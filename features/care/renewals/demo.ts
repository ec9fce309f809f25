// Demo rows of the renewal desk: what was agreed with shops that are due, and the reminders that wait to be sent.
import { DEMO_AGENTS, demoOwner, demoSeller } from '#features/office/access/demo.ts'
import { tell } from '#features/office/notices/demo.ts'
import { firstText } from '#features/office/notices/reference.ts'
import { warningOf } from '#features/office/notices/rules.ts'
import { demoShops } from '#features/sales/selling/demo.ts'
import { send } from '#features/shops/messages/desk/demo.ts'
import { reminderParams } from '#features/shops/messages/rules.ts'
import { VERSIONS } from '#features/shops/versions/reference.ts'
import { addDays, formatDay } from '#kit/time.ts'
import { ago, type Demo, workHour } from '#server/demo.ts'
import { renewalMarks } from './tables.ts'

const DAY_MS = 86_400_000
const AGREED = [
  ['contacted', '老板出差，月底再联系'],
  ['promised', '已同意续费，等财务付款'],
  ['lost', '店铺转让，不再续费'],
] as const
const WARNED_DAYS = 7
const REMINDED = 4

export function demo(demo: Demo): void {
  for (const days of [28, 21, 14, 7, 0.3]) demo.history.at(workHour(demo, days), at => warn(demo, at))
  demo.history.at(demo.now, () => {
    const { now, history } = demo
    const due = demoShops(demo)
      .filter(({ agentId, status }) => agentId === DEMO_AGENTS.first && status === 'normal')
      .flatMap(shop =>
        shop.expiresAt == null
          ? []
          : [{ shop, daysLeft: (Date.parse(shop.expiresAt) - now.getTime()) / DAY_MS }],
      )
      .sort((a, b) => a.daysLeft - b.daysLeft)
    // Every other one is left to be called.
    const marked = due.filter(({ daysLeft }) => daysLeft > -30 && daysLeft < 90).filter((_, n) => n % 2 === 0)
    for (const [n, { shop }] of marked.entries()) {
      const by = demoSeller(demo, shop.agentId)
      const [state, note] = AGREED[n % 3] as (typeof AGREED)[number]
      history.add(renewalMarks, {
        agentId: shop.agentId,
        merchantId: shop.id,
        state,
        note,
        nextOn: state === 'lost' ? null : addDays(formatDay(now), (n % 4) - 1),
        createdBy: by.id,
        createdByName: by.name,
        createdAt: workHour(demo, n * 0.8),
      })
    }
    const lapsed = due.filter(({ daysLeft }) => daysLeft < 0).slice(-REMINDED)
    for (const { shop } of lapsed) {
      const versionName = VERSIONS.find(({ id }) => id === shop.versionId)?.name ?? ''
      send(demo, {
        shop,
        kind: 'renewal-reminder',
        template: 'renewal-reminder',
        params: reminderParams({ ...shop, versionName, expiresAt: shop.expiresAt ?? '' }, now),
        outcome: 'queued',
        at: ago(demo, 0.02),
        by: demoSeller(demo, shop.agentId),
      })
    }
  })
}

/** Of the terms that end within a week. */
function warn(demo: Demo, at: string): void {
  const ending = demoShops(demo).filter(({ agentId, expiresAt }) => {
    const days = (Date.parse(expiresAt ?? '') - Date.parse(at)) / DAY_MS
    return agentId === DEMO_AGENTS.first && days > 0 && days < WARNED_DAYS
  })
  if (ending.length === 0) return
  const { holding: _, text, values, ...told } = warningOf('expiring', ending.length, WARNED_DAYS)
  tell(demo, demoOwner(demo, DEMO_AGENTS.first), at, {
    ...told,
    ...firstText(text, values),
    args: { kind: 'expiring', value: ending.length },
  })
}
