// Demo data of messages to many shops: greetings of the year, one that waits for its day, a draft, and some that came to nothing.
import { demoNo } from '#features/money/ledger/demo.ts'
import { DEMO_AGENTS, demoOwner, demoSeller, type Person } from '#features/office/access/demo.ts'
import { tell } from '#features/office/notices/demo.ts'
import { type DemoShop, demoShops } from '#features/sales/selling/demo.ts'
import { charge, send } from '#features/shops/messages/desk/demo.ts'
import type { MessageStatus } from '#features/shops/messages/rules.ts'
import { addDays, formatDay, startOfDay } from '#kit/time.ts'
import { ago, type Demo, later, workHour } from '#server/demo.ts'
import { type CampaignStatus, endWords } from './rules.ts'
import { campaigns } from './tables.ts'

type Campaign = {
  name: string
  templateKey: string
  params: Record<string, string>
  audience: { industryId?: number; storeKind?: 'head' }
}

const greeting = (holiday: string): Campaign => ({
  name: `${holiday}问候`,
  templateKey: 'holiday-greeting',
  params: { holiday },
  audience: {},
})
const [FIRST, OTHER] = [DEMO_AGENTS.first, DEMO_AGENTS.other]

/** Holidays that have a day of the sun's year, as MM-DD. */
const HOLIDAYS = [
  ['10-01', '国庆节', FIRST],
  ['05-01', '劳动节', FIRST],
  ['01-01', '元旦', FIRST],
  ['10-01', '国庆节', OTHER],
] as const
const SENT: [days: number, agentId: number, campaign: Campaign][] = [
  [
    75,
    FIRST,
    {
      name: '客服电话变更',
      templateKey: 'service-change',
      params: { phone: '0755-86000000' },
      audience: { industryId: 3 },
    },
  ],
  [
    5,
    FIRST,
    {
      name: '会员储值上线通知',
      templateKey: 'version-release',
      params: { feature: '会员储值' },
      audience: { storeKind: 'head' },
    },
  ],
]

export function demo(demo: Demo): void {
  for (const [day, holiday, agentId] of HOLIDAYS)
    demo.history.at(holidayBefore(demo, day), at => sendOut(demo, agentId, greeting(holiday), at))
  for (const [days, agentId, campaign] of SENT)
    demo.history.at(workHour(demo, days), at => sendOut(demo, agentId, campaign, at))
  demo.history.at(demo.now, () => others(demo))
}

/** The last one that lies a few days back, at nine in the morning. */
function holidayBefore({ now }: Demo, day: string): Date {
  const limit = addDays(formatDay(now), -3)
  const year = Number(limit.slice(0, 4)) - (day > limit.slice(5) ? 1 : 0)
  return new Date(startOfDay(`${year}-${day}`).getTime() + 9 * 3_600_000)
}

function audienceOf(demo: Demo, agentId: number, { audience }: Campaign): DemoShop[] {
  return demoShops(demo).filter(
    shop =>
      shop.agentId === agentId &&
      (audience.industryId === undefined || shop.industryId === audience.industryId) &&
      (audience.storeKind === undefined || shop.storeKind === audience.storeKind),
  )
}

function add(
  demo: Demo,
  by: Person,
  campaign: Campaign,
  status: CampaignStatus,
  more: Partial<typeof campaigns.$inferInsert> & { createdAt: string },
) {
  const { agentId } = by
  const isSent = status !== 'draft'
  const { length } = audienceOf(demo, agentId, campaign)
  return demo.history.add(campaigns, {
    ...campaign,
    documentNo: demoNo(demo, more.createdAt),
    agentId,
    status,
    ...(isSent
      ? { expectedShops: length, expectedSegments: length, sentBy: by.id, sentByName: by.name }
      : {}),
    createdBy: by.id,
    createdByName: by.name,
    ...more,
  })
}

/** Most arrive, some numbers are out of service, and of a few the carrier never told. */
function sendOut(demo: Demo, agentId: number, campaign: Campaign, at: string): void {
  const { random } = demo
  const createdAt = new Date(Date.parse(at) - 20 * 60_000).toISOString()
  const by = demoOwner(demo, agentId)
  const made = add(demo, by, campaign, 'done', {
    createdAt,
    startedAt: at,
    finishedAt: later(demo, at, 1 / 60),
  })
  const { documentNo } = made
  const messages = audienceOf(demo, agentId, campaign).map((shop, i) => {
    const outcome =
      i % 23 === 5 ? 'failed' : i % 61 === 9 ? 'unknown' : random.chance(0.015) ? 'failed' : 'delivered'
    const params = { shop: shop.shopName, ...campaign.params }
    const message = {
      shop,
      kind: 'campaign',
      template: campaign.templateKey,
      params,
      outcome,
      at,
      by,
    } as const
    return Object.assign(send(demo, { ...message, paid: { payer: 'agent', documentNo } }), {
      campaignId: made.id,
    })
  })
  const segments = messages.reduce((sum, row) => sum + (row.segments ?? 1), 0)
  Object.assign(made, { queued: messages.length, expectedSegments: segments })
  charge(demo, messages, { owner: { kind: 'agent', id: agentId }, agentId, documentNo, at })
  const told: Partial<Record<MessageStatus, number>> = {}
  for (const { status } of messages) told[status] = (told[status] ?? 0) + 1
  tell(demo, by, later(demo, at, 0.1), {
    ...endWords({ name: campaign.name, problem: '' }, { messages: told }),
    topic: 'Campaign_Notify',
    link: `/admin/merchant/messageEditing?campaign=${made.id}`,
    args: { campaignId: made.id },
  })
}

/** At ten of a day of Shanghai, so many days from now. */
function tenOf({ now }: Demo, days: number): string {
  return new Date(startOfDay(addDays(formatDay(now), days)).getTime() + 10 * 3_600_000).toISOString()
}

function others(demo: Demo): void {
  const release = {
    name: '新版本上线通知',
    templateKey: 'version-release',
    params: { feature: '扫码点餐' },
    audience: { industryId: 2 },
  }
  const offer = {
    name: '年底续费优惠',
    templateKey: 'renewal-offer',
    params: { offer: '买一年送一个月' },
    audience: {},
  }
  const invitation: Campaign = {
    name: '门店交流会邀请',
    templateKey: 'activity-invitation',
    params: { activity: '门店经营交流会', time: '下周三14点', place: '科技园3号楼' },
    audience: { storeKind: 'head' },
  }
  const maintenance = {
    name: '服务器维护通知',
    templateKey: 'maintenance',
    params: { time: '今晚23点至次日2点' },
    audience: {},
  }
  const by = demoSeller(demo, FIRST)
  const [cancelledAt, refusedAt] = [tenOf(demo, -9), tenOf(demo, -19)]
  add(demo, by, release, 'scheduled', { createdAt: ago(demo, 1), scheduledAt: tenOf(demo, 5) })
  add(demo, by, offer, 'draft', { createdAt: ago(demo, 2) })
  add(demo, by, invitation, 'cancelled', {
    createdAt: ago(demo, 12),
    scheduledAt: cancelledAt,
    finishedAt: cancelledAt,
  })
  add(demo, by, maintenance, 'refused', {
    createdAt: ago(demo, 20),
    scheduledAt: refusedAt,
    startedAt: refusedAt,
    finishedAt: refusedAt,
    problem: `短信余额不足，其余 ${audienceOf(demo, FIRST, maintenance).length} 家商户未发送`,
  })
}
