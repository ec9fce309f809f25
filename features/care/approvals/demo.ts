// Demo rows of requests: what shops asked to be called in the last weeks, and what became of it.
import { DEMO_AGENTS, demoOwner, demoSeller, demoStaff } from '#features/office/access/demo.ts'
import { tell } from '#features/office/notices/demo.ts'
import { type DemoShop, demoShops, isInUse } from '#features/sales/selling/demo.ts'
import { SMS_SERVICES } from '#features/shops/signatures/rules.ts'
import { shopSignatures } from '#features/shops/signatures/tables.ts'
import { makeRandom } from '#kit/random.ts'
import { ago, type Demo, drawPicture, later, workHour } from '#server/demo.ts'
import { APPROVAL_REASONS } from './reference.ts'
import { requestRow } from './rows.ts'
import {
  APPROVAL_KINDS,
  APPROVAL_PICTURE,
  APPROVAL_STATES,
  type ApprovalKind,
  type ApprovalState,
} from './rules.ts'
import { approvalRequests } from './tables.ts'

const DOOR = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="420"><rect width="640" height="420" fill="#dfe5ee"/>
<rect x="40" y="60" width="560" height="90" rx="6" fill="#b4382c"/><rect x="170" y="88" width="300" height="34" rx="4" fill="#ffe9b8"/>
<rect x="60" y="150" width="520" height="230" fill="#8d9bb0"/><rect x="250" y="190" width="140" height="190" fill="#46546b"/>
<rect x="90" y="190" width="120" height="120" fill="#cfe0f5"/><rect x="430" y="190" width="120" height="120" fill="#cfe0f5"/></svg>`

/** `shop`: which of the agent's shops in use. `reason`: of the catalogue, of a rejection. */
type Asked = {
  kind: ApprovalKind
  agentId: number
  shop: number
  days: number
  state: ApprovalState
  content: (shop: DemoShop) => string
  note?: string
  pictured?: true
  reason?: number
}

const { first, other, below } = DEMO_AGENTS
const shortened = (shop: DemoShop) => shop.shortName
const ASKED: readonly Asked[] = [
  { kind: 'signature', agentId: first, shop: 1, days: 33, state: 'approved', content: shortened },
  {
    ...{ kind: 'signature', agentId: other, shop: 2, days: 21, state: 'rejected', reason: 1 },
    content: () => '优惠通知',
  },
  { kind: 'signature', agentId: other, shop: 2, days: 19, state: 'approved', content: shortened },
  { kind: 'signature', agentId: first, shop: 4, days: 9.2, state: 'replaced', content: () => '老字号' },
  {
    ...{ kind: 'signature', agentId: first, shop: 4, days: 1.6, state: 'pending', pictured: true },
    content: ({ shortName }) => `${shortName}总店`,
    note: '门头照片已附上',
  },
  { kind: 'signature', agentId: first, shop: 6, days: 6.3, state: 'withdrawn', content: () => '开业大酬宾' },
  {
    ...{ kind: 'signature', agentId: first, shop: 9, days: 0.4, state: 'pending' },
    content: ({ shortName }) => `${shortName}会员`,
  },
  {
    ...{ kind: 'signature', agentId: below, shop: 1, days: 0.1, state: 'pending' },
    content: ({ shortName }) => `${shortName}旗舰`,
    note: '客户要求本周启用',
  },
  {
    ...{ kind: 'signature', agentId: other, shop: 6, days: 0.6, state: 'reviewing' },
    content: ({ shortName }) => `${shortName}会员`,
    note: '会员短信用',
  },
  {
    ...{ kind: 'shopName', agentId: first, shop: 3, days: 27, state: 'approved' },
    content: ({ shopName }) => `${shopName.slice(0, 20)}（旗舰店）`,
  },
  {
    ...{ kind: 'shopName', agentId: other, shop: 4, days: 14, state: 'rejected', reason: 5 },
    content: () => '全城最低价超市',
  },
  {
    ...{ kind: 'shopName', agentId: first, shop: 7, days: 5, state: 'withdrawn' },
    content: ({ shopName }) => `${shopName.slice(0, 20)}新店`,
  },
  {
    ...{ kind: 'shopName', agentId: first, shop: 8, days: 3.1, state: 'replaced' },
    content: ({ shopName }) => `${shopName.slice(0, 20)}一店`,
  },
  {
    ...{ kind: 'shopName', agentId: first, shop: 8, days: 0.8, state: 'pending', pictured: true },
    content: ({ shopName }) => `${shopName.slice(0, 20)}（万象天地店）`,
    note: '商场要求与铺位名称一致',
  },
  {
    ...{ kind: 'shopName', agentId: other, shop: 1, days: 0.2, state: 'pending' },
    content: ({ shopName }) => `${shopName.slice(0, 20)}总店`,
  },
  { kind: 'memberTitle', agentId: first, shop: 2, days: 40, state: 'approved', content: () => '贵宾' },
  { kind: 'memberTitle', agentId: other, shop: 3, days: 16, state: 'approved', content: () => '街坊' },
  {
    ...{ kind: 'memberTitle', agentId: first, shop: 5, days: 11, state: 'rejected', reason: 8 },
    content: () => '局长',
  },
  { kind: 'memberTitle', agentId: first, shop: 5, days: 4, state: 'replaced', content: () => '老板' },
  { kind: 'memberTitle', agentId: first, shop: 5, days: 2.2, state: 'pending', content: () => '家人' },
  { kind: 'memberTitle', agentId: below, shop: 2, days: 7, state: 'withdrawn', content: () => '客官' },
  { kind: 'memberTitle', agentId: other, shop: 5, days: 0.3, state: 'pending', content: () => '茶友' },
]

export async function demo(demo: Demo): Promise<void> {
  const by = demoOwner(demo, first)
  const pictureId = await drawPicture(demo, DOOR, {
    ...{ agentId: first, purpose: APPROVAL_PICTURE, createdBy: by.id },
    createdAt: ago(demo, 4),
  })
  // Of shops that are in use today, so that each still waits for the same one.
  demo.history.at(demo.now, () => {
    for (const asked of ASKED.toSorted((a, b) => b.days - a.days)) ask(demo, asked, pictureId)
  })
}

const OPEN_DAYS = 60

/** By chance of its own, so that what else happens in the demo stays as it is. */
const askedAt = (demo: Demo, days: number) =>
  workHour({ now: demo.now, random: makeRandom(Math.round(days * 10)) }, days)

function ask(demo: Demo, asked: Asked, pictureId: string | null): void {
  const { kind, agentId, state } = asked
  const createdAt = askedAt(demo, asked.days)
  const opened = ago(demo, OPEN_DAYS)
  const shop = demoShops(demo).filter(
    one => one.agentId === agentId && one.registeredAt < opened && isInUse(one, demo.now.toISOString()),
  )[asked.shop]
  if (!shop) return
  const by = demoSeller(demo, agentId)
  const request = demo.history.add(
    approvalRequests,
    requestRow({
      ...{ agentId, merchantId: shop.id, kind, createdAt },
      content: asked.content(shop),
      contentBefore: shop[kind] ?? '',
      note: asked.note ?? '',
      pictureId: asked.pictured ? pictureId : null,
      shopName: shop.shopName,
      createdBy: by.id,
      createdByName: by.name,
    }),
  )
  if (state === 'pending') return
  const next = ASKED.find(
    one => one.kind === kind && one.agentId === agentId && one.shop === asked.shop && one.days < asked.days,
  )
  const handledAt = state === 'replaced' && next ? askedAt(demo, next.days) : later(demo, createdAt, 2)
  handle(demo, { asked, shop, request }, handledAt)
}

type Made = { asked: Asked; shop: DemoShop; request: typeof approvalRequests.$inferInsert }

function handle(demo: Demo, { asked, shop, request }: Made, at: string): void {
  const { kind, agentId, state } = asked
  const isDecided = state === 'approved' || state === 'rejected'
  const by = isDecided || state === 'reviewing' ? demoStaff(demo) : demoSeller(demo, agentId)
  const reason = APPROVAL_REASONS.find(({ id }) => id === asked.reason)
  Object.assign(request, {
    ...{ state, handledBy: by.id, handledByName: by.name, handledAt: at },
    reason: reason?.name ?? '',
    advice: reason?.advice ?? '',
    ...(state === 'approved' || state === 'reviewing'
      ? { approvedBy: by.id, approvedByName: by.name, approvedAt: at }
      : {}),
  })
  if (state === 'approved') shop[kind] = request.content
  if (state === 'reviewing') handIn(demo, request, at)
  if (!isDecided) return
  const done = state === 'approved'
  tell(demo, demoOwner(demo, agentId), at, {
    topic: kind === 'signature' ? 'Refresh_Signature_Notify' : 'Approval_Notify',
    title: `${APPROVAL_KINDS[kind]}申请${APPROVAL_STATES[state]}`,
    body: [
      `${request.shopName}：「${request.content}」${done ? '已生效' : `未通过，${reason?.name}`}`,
      ...(reason ? [reason.advice] : []),
    ].join('。'),
    link: `/admin/merchant/merchantDetails?user_id=${shop.id}`,
    args: { merchantId: shop.id, kind, state },
  })
}

/** The services are asked about it as soon as the program runs. */
function handIn(demo: Demo, request: typeof approvalRequests.$inferInsert, at: string): void {
  const { agentId, merchantId, content } = request
  for (const service of Object.keys(SMS_SERVICES) as (keyof typeof SMS_SERVICES)[])
    demo.history.add(shopSignatures, {
      ...{ agentId, merchantId, service, signature: content, requestId: request.id as number },
      ...{ state: 'waiting', again: true, nextAt: at, createdAt: at, changedAt: at },
    })
}
