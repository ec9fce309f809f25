// Demo data of the after-sales tools: what the vendor's people did to shops, and why.
import { DEMO_AGENTS, demoOwner, demoStaff } from '#features/office/access/demo.ts'
import { tell } from '#features/office/notices/demo.ts'
import { demoPurchases, undoPurchase } from '#features/sales/purchases/demo.ts'
import { type DemoShop, demoChain, demoShops, isInUse } from '#features/sales/selling/demo.ts'
import { undoneWords } from '#features/sales/settlement/rules.ts'
import { VERSIONS } from '#features/shops/versions/reference.ts'
import { amountText, countText } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { type Demo, workHour } from '#server/demo.ts'
import type { FieldChange } from '#server/tables.ts'
import { VERSION_ADJUSTMENTS } from './reference.ts'
import { extendedExpiry, type ToolKind } from './rules.ts'
import { toolActions } from './tables.ts'

const DAY_MS = 86_400_000
const EXTENDED: [days: number, by: number, reason: string][] = [
  [318, 15, '机房故障补偿'],
  [244, 7, '开业延期，顺延使用期'],
  [132, 30, '活动赠送一个月'],
  [47, 15, '硬件返修补偿'],
  [23, 7, '客户投诉补偿'],
]
const ADJUSTED = [[52, '旧版本下线，转连锁版']] as const

export function demo(demo: Demo): void {
  const { history } = demo
  for (const [days, by, reason] of EXTENDED)
    history.at(workHour(demo, days), at => extend(demo, at, by, reason))
  for (const [days, reason] of ADJUSTED) history.at(workHour(demo, days), at => adjust(demo, at, reason))
  history.at(workHour(demo, 112), at => move(demo, at))
  history.at(workHour(demo, 141), at => cancel(demo, at))
  history.at(workHour(demo, 200), at => {
    for (const branch of demoChain(demo).slice(1)) associate(demo, branch, at)
  })
}

function record(
  demo: Demo,
  kind: ToolKind,
  shop: DemoShop,
  at: string,
  changes: FieldChange[],
  reason: string,
): void {
  const by = demoStaff(demo)
  demo.history.add(toolActions, {
    agentId: shop.agentId,
    merchantId: shop.id,
    shopName: shop.shopName,
    kind,
    changes,
    reason,
    createdBy: by.id,
    createdByName: by.name,
    createdAt: at,
  })
}

/** One whose term runs for a while and which nobody has renewed lately. */
function extend(demo: Demo, at: string, days: number, reason: string): void {
  const shop = demo.random.pick(
    demoShops(demo).filter(
      one =>
        one.expiresAt != null &&
        isInUse(one, at) &&
        Date.parse(one.expiresAt) - Date.parse(at) < 200 * DAY_MS,
    ),
  )
  if (!shop?.expiresAt) return
  const before = shop.expiresAt
  shop.expiresAt = extendedExpiry(before, days, at)
  const changes = [
    { name: '到期时间', before: formatInstant(before), after: formatInstant(shop.expiresAt) },
    { name: '延期', before: null, after: countText(days, '天') },
  ]
  record(demo, 'extend', shop, at, changes, reason)
}

function adjust(demo: Demo, at: string, reason: string): void {
  const [adjustment] = VERSION_ADJUSTMENTS
  const shop = demoShops(demo).find(one => one.versionId === adjustment?.fromVersionId && isInUse(one, at))
  if (!shop || !adjustment) return
  const nameOf = (id: number) => VERSIONS.find(version => version.id === id)?.name ?? null
  const change = { name: '软件版本', before: nameOf(shop.versionId), after: nameOf(adjustment.toVersionId) }
  shop.versionId = adjustment.toVersionId
  record(demo, 'version', shop, at, [change], reason)
}

/** The agent that gave up has one shop; another takes it over. */
function move(demo: Demo, at: string): void {
  const shop = demoShops(demo).find(({ agentId }) => agentId === DEMO_AGENTS.gone)
  if (!shop) return
  const change = {
    name: '服务商',
    before: demoOwner(demo, DEMO_AGENTS.gone).company,
    after: demoOwner(demo, DEMO_AGENTS.fresh).company,
  }
  Object.assign(shop, { agentId: DEMO_AGENTS.fresh, managerId: null })
  record(demo, 'provider', shop, at, [change], '原服务商停止合作')
  const link = `/admin/merchant/merchantDetails?user_id=${shop.id}` as const
  tell(demo, demoOwner(demo, DEMO_AGENTS.fresh), at, {
    title: '商户已转入',
    body: `${shop.shopName} (${shop.id}) 已由 ${change.before} 转给您`,
    topic: 'ShopMoved_Notify',
    link,
    args: { merchantId: shop.id },
  })
}

function associate(demo: Demo, branch: DemoShop, at: string): void {
  const [head] = demoChain(demo)
  if (!head) return
  Object.assign(branch, { storeKind: 'branch', headId: head.id })
  const changes = [
    { name: '总店', before: null, after: `${head.shopName} (${head.id})` },
    { name: '门店类型', before: '总店', after: '分店' },
  ]
  record(demo, 'associate', branch, at, changes, '同一品牌，统一管理')
}

/** The last single purchase of the other agent, some days after it was paid. */
function cancel(demo: Demo, at: string): void {
  const reason = '代理商来电，客户重复下单'
  const purchase = demoPurchases(demo).findLast(
    ({ order, plan }) =>
      order.agentId === DEMO_AGENTS.other && order.status === 'paid' && plan.effects.length === 1,
  )
  if (!purchase || Date.parse(at) - Date.parse(purchase.order.createdAt) > 15 * DAY_MS) return
  undoPurchase(demo, purchase, at, demoStaff(demo), reason)
  const changes = [
    { name: '订单号', before: null, after: purchase.order.orderNo },
    { name: '订单状态', before: '已支付', after: '已撤销' },
    { name: '退回', before: null, after: amountText(purchase.order.totalCents, '代币') },
  ]
  record(demo, 'cancel', purchase.shop, at, changes, reason)
  const { orderNo, totalCents: cents } = purchase.order
  tell(demo, demoOwner(demo, DEMO_AGENTS.other), at, {
    ...undoneWords({ kind: 'version', orderNo, cents }, demoStaff(demo).name, reason),
    topic: 'OrderUndone_Notify',
    link: `/admin/order/${orderNo}`,
    args: { orderNo },
  })
}
