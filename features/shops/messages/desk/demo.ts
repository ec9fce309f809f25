// Demo data of sending: what shops send their members with their own credit, reminders and notices, and how the demo of other
// features sends.
import { demoBalance, demoNo, post } from '#features/money/ledger/demo.ts'
import { DEMO_AGENTS, demoSeller } from '#features/office/access/demo.ts'
import { type DemoShop, demoShops, isInUse, seasonDays } from '#features/sales/selling/demo.ts'
import { SMS_TEMPLATES } from '#features/shops/messages/reference.ts'
import {
  MASKED_CODE,
  type MessageKind,
  PRIORITIES,
  reminderParams,
  renderTemplate,
} from '#features/shops/messages/rules.ts'
import { outboxMessages } from '#features/shops/messages/tables.ts'
import { VERSIONS } from '#features/shops/versions/reference.ts'
import { formatDay } from '#kit/time.ts'
import { segmentsOf } from '#kit/words/segments.ts'
import { ago, type Demo, kept, later, workHour } from '#server/demo.ts'

const SUPPLIER = { kind: 'vendor', book: 'sms-supplier' } as const
/** As the simulated services sign. */
const SIGNATURE = '收银服务'

type Outcome = 'delivered' | 'failed' | 'unknown' | 'expired' | 'cancelled' | 'queued'
const ERRORS: Partial<Record<Outcome, [code: string, text: string]>> = {
  failed: ['MOBILE_NOT_ON_SERVICE', '手机号停机、空号、关机或不在服务区'],
  unknown: ['NO_ANSWER', '短信服务商未应答，结果待确认'],
  expired: ['EXPIRED', '超过有效时间，未发送'],
}
export type Sent = {
  shop: DemoShop
  kind: MessageKind
  template: string
  params: Record<string, string>
  outcome: Outcome
  at: string
  by: { id: number; name: string }
  phone?: string
  /** Who pays, with the document of its charge; nobody but the vendor without it. */
  paid?: { payer: 'agent' | 'merchant'; documentNo: string }
}

/** A message in the outbox as it ended; answers its row. What it costs is posted by `charge`. */
export function send(demo: Demo, { shop, kind, template, params, outcome, at, by, phone, paid }: Sent) {
  const { text: words } = SMS_TEMPLATES.find(({ key }) => key === template) as (typeof SMS_TEMPLATES)[number]
  const text = renderTemplate(words, params)
  const segments = segmentsOf(SIGNATURE, text)
  const wasSent = outcome === 'delivered' || outcome === 'failed'
  const [errorCode, errorText] = ERRORS[outcome] ?? ['', '']
  return demo.history.add(outboxMessages, {
    agentId: shop.agentId,
    merchantId: shop.id,
    kind,
    phone: phone ?? shop.account,
    text,
    status: outcome,
    template,
    params,
    segments,
    fee: outcome === 'delivered' ? segments : null,
    payer: paid?.payer ?? 'vendor',
    payerId: paid ? (paid.payer === 'agent' ? shop.agentId : shop.id) : null,
    charged: paid && (wasSent || outcome === 'unknown') && outcome !== 'failed' ? segments : 0,
    documentNo: paid?.documentNo ?? null,
    priority: PRIORITIES[kind],
    notBefore: at,
    ...(outcome === 'queued' ? {} : { provider: 'aliyun' as const, claimedAt: at }),
    ...(wasSent ? { submittedAt: at, reportedAt: later(demo, at, 8 / 3_600), askAt: null } : {}),
    errorCode,
    errorText,
    createdBy: by.id,
    createdByName: by.name,
    createdAt: at,
  })
}

type Charge = {
  owner: { kind: 'agent' | 'merchant'; id: number }
  agentId: number
  documentNo: string
  at: string
}

/** What messages cost, and what comes back for those that failed. */
export function charge(
  demo: Demo,
  messages: ReturnType<typeof send>[],
  { owner, agentId, documentNo, at }: Charge,
) {
  const sum = (counted: typeof messages) => counted.reduce((pieces, row) => pieces + (row.segments ?? 1), 0)
  const common = { asset: 'sms', document: documentNo, payMethod: 'balance', agentId, by: null } as const
  const pieces = sum(messages.filter(({ status }) => status !== 'cancelled'))
  const back = sum(messages.filter(({ status }) => status === 'failed'))
  post(demo, {
    ...common,
    kind: 'sms-send',
    amount: pieces,
    from: owner,
    to: SUPPLIER,
    at,
    description: '短信发送',
  })
  if (back > 0)
    demo.history.at(later(demo, at, 1 / 60), returnedAt =>
      post(demo, {
        ...common,
        kind: 'sms-send-return',
        amount: back,
        from: SUPPLIER,
        to: owner,
        at: returnedAt,
        description: '短信返还',
      }),
    )
}

const NEWS = [
  '会员日全场八折，欢迎光临',
  '您的会员积分即将到期，请尽快使用',
  '新品上市，到店出示本短信可减10元',
  '储值满500送50，活动本周日截止',
]
const SENDERS = 10
const REMINDED = ['delivered', 'delivered', 'failed', 'delivered', 'expired'] as const
const dryingUp = kept(() => ({ shop: null as DemoShop | null }))
/** Codes are never kept. */
const CODES = [
  [160, 'hand-over', 'delivered'],
  [140, 'password-reset', 'delivered'],
  [96, 'phone-code', 'delivered'],
  [61, 'password-reset', 'failed'],
  [48, 'hand-over', 'failed'],
  [33, 'recovery-code', 'delivered'],
  [20, 'password-reset', 'delivered'],
  [20, 'phone-code', 'failed'],
  [19, 'phone-code', 'delivered'],
  [9, 'recovery-code', 'failed'],
  [4, 'password-reset', 'delivered'],
] as const

export function demo(demo: Demo): void {
  for (const days of seasonDays(demo, 340, 70))
    demo.history.at(workHour(demo, days), at => sendNews(demo, at, 5))
  for (let days = 28; days > 0; days -= 0.5)
    demo.history.at(ago(demo, days - 0.1), at => sendNews(demo, at, 24))
  for (let days = 9; days > 0; days--) demo.history.at(ago(demo, days - 0.4), at => useUp(demo, at))
  for (const [i, days] of seasonDays(demo, 300, 20).entries())
    demo.history.at(workHour(demo, days), at => remind(demo, at, REMINDED[i % REMINDED.length]))
  for (const [days, kind, outcome] of CODES)
    demo.history.at(workHour(demo, days), at => tellShop(demo, at, kind, outcome))
  demo.history.at(ago(demo, 12), at => tellDecision(demo, at, 'delivered'))
  demo.history.at(ago(demo, 6), at => tellDecision(demo, at, 'failed'))
}

/** One of the shops sends all that it has, so that it needs more this week. */
function useUp(demo: Demo, at: string): void {
  const held = (shop: DemoShop) => demoBalance(demo, { kind: 'merchant', id: shop.id }, 'sms')
  const shop = dryingUp(demo).shop ?? sendersOf(demo, at, 30).find(one => held(one) < 400)
  if (!shop) return
  dryingUp(demo).shop = shop
  sendFrom(demo, shop, at, Math.min(40, Math.floor(held(shop) / 3)))
}

/** One of the shops that send, as far as its credit lasts. */
function sendNews(demo: Demo, at: string, most: number): void {
  const shop = demo.random.pick(sendersOf(demo, at, most))
  if (shop) sendFrom(demo, shop, at, 3 + demo.random.whole(most - 2))
}

function sendersOf(demo: Demo, at: string, least: number): DemoShop[] {
  return demoShops(demo)
    .filter(
      shop =>
        shop.agentId === DEMO_AGENTS.first &&
        isInUse(shop, at) &&
        demoBalance(demo, { kind: 'merchant', id: shop.id }, 'sms') > least,
    )
    .slice(0, SENDERS)
}

function sendFrom(demo: Demo, shop: DemoShop, at: string, count: number): void {
  const { random } = demo
  if (count === 0) return
  const documentNo = demoNo(demo, at)
  const params = { shop: shop.shopName, content: random.pick(NEWS) }
  const messages = Array.from({ length: count }, () =>
    send(demo, {
      ...{ shop, kind: 'member', template: 'custom-notice', params, at },
      by: { id: 0, name: shop.personName },
      outcome: random.chance(0.04) ? 'failed' : 'delivered',
      phone: `137${String(random.whole(100_000_000)).padStart(8, '0')}`,
      paid: { payer: 'merchant', documentNo },
    }),
  )
  charge(demo, messages, { owner: { kind: 'merchant', id: shop.id }, agentId: shop.agentId, documentNo, at })
}

/** A shop whose term ends about now. */
function remind(demo: Demo, at: string, outcome: Outcome = 'delivered'): void {
  const soon = demoShops(demo).filter(
    ({ agentId, expiresAt }) =>
      agentId === DEMO_AGENTS.first &&
      expiresAt != null &&
      Math.abs(Date.parse(expiresAt) - Date.parse(at)) < 20 * 86_400_000,
  )
  const shop = demo.random.pick(soon)
  if (!shop?.expiresAt) return
  const versionName = VERSIONS.find(({ id }) => id === shop.versionId)?.name ?? ''
  const params = reminderParams({ ...shop, versionName, expiresAt: shop.expiresAt }, new Date(at))
  const common = { shop, kind: 'renewal-reminder', template: 'renewal-reminder', params, at } as const
  send(demo, { ...common, outcome, by: demoSeller(demo, shop.agentId) })
}

function tellShop(demo: Demo, at: string, kind: (typeof CODES)[number][1], outcome: Outcome): void {
  const shop = demo.random.pick(
    demoShops(demo).filter(one => one.agentId === DEMO_AGENTS.first && isInUse(one, at)),
  )
  if (!shop) return
  const params = { shop: shop.shopName, ...told(kind, shop) }
  const message = { shop, kind, template: kind, params, outcome, at, by: demoSeller(demo, shop.agentId) }
  if (kind !== 'hand-over') return void send(demo, message)
  const documentNo = demoNo(demo, at)
  const { agentId } = shop
  const sent = send(demo, { ...message, paid: { payer: 'agent', documentNo } })
  charge(demo, [sent], { owner: { kind: 'agent', id: agentId }, agentId, documentNo, at })
}

/** What staff decided about a title that a shop asked for. */
function tellDecision(demo: Demo, at: string, outcome: Outcome): void {
  const shop = demoShops(demo).find(one => one.agentId === DEMO_AGENTS.first && isInUse(one, at))
  if (!shop) return
  const params = { shop: shop.shopName, item: '会员称谓', content: '贵宾' }
  const decided = { kind: 'shop-notice', template: 'approval-passed', by: { id: 0, name: '陈经理' } } as const
  send(demo, { ...decided, shop, params, outcome, at })
}

function told(
  kind: (typeof CODES)[number][1],
  { account, expiresAt, versionId }: DemoShop,
): Record<string, string> {
  if (kind === 'password-reset') return {}
  if (kind !== 'hand-over') return { code: MASKED_CODE }
  const version = VERSIONS.find(({ id }) => id === versionId)?.name ?? ''
  return {
    account,
    version,
    day: expiresAt ? formatDay(expiresAt) : '永久',
    address: 'https://pos.example.com/login',
  }
}

/** Segments that were used, by who paid for them and day. */
export async function afterwards({ client }: Demo): Promise<void> {
  await client.query(
    `insert into sms_days (payer, payer_id, day, agent_id, messages, segments)
     select payer, coalesce(payer_id, 0), shanghai_day(submitted_at), case payer when 'vendor' then 0 else agent_id end, count(*),
       sum(coalesce(fee, segments))
     from outbox_messages where status in ('submitted', 'delivered') group by 1, 2, 3, 4`,
  )
}
