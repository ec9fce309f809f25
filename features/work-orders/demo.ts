// Demo rows of work orders: what agents asked of the vendor in the last weeks, in every state, with pictures and ratings.
import { DEMO_AGENTS, demoOwner, demoStaff, type Person } from '#features/access/demo.ts'
import { tell } from '#features/notices/demo.ts'
import { demoShops, isInUse } from '#features/selling/demo.ts'
import { makeRandom } from '#kit/random.ts'
import { ago, type Demo, drawPicture, later, workHour } from '#server/demo.ts'
import { workOrderMessageRow, workOrderRow } from './rows.ts'
import {
  dueAfterWait,
  ORDER_STATES,
  type OrderKind,
  type OrderState,
  pressingAt,
  SATISFACTION_WORDS,
  type Score,
  STAFF_STEPS,
  type StaffStep,
  URGENCIES,
  type Urgency,
  WORK_ORDER_PICTURE,
  WORK_ORDER_STEPS,
} from './rules.ts'
import { workOrderEvents, workOrderMessages, workOrderPictures, workOrders } from './tables.ts'

const terminalOf = (accent: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><rect width="640" height="480" fill="#e9edf2"/>
<rect x="70" y="60" width="500" height="320" rx="14" fill="#1f2a3a"/><rect x="92" y="82" width="456" height="276" rx="6" fill="#fff"/>
<rect x="112" y="104" width="200" height="22" rx="4" fill="#c9d2df"/><rect x="112" y="144" width="260" height="14" rx="4" fill="#dfe5ed"/>
<rect x="112" y="172" width="220" height="14" rx="4" fill="#dfe5ed"/><rect x="180" y="220" width="280" height="96" rx="10" fill="#fff" stroke="${accent}" stroke-width="4"/>
<rect x="204" y="244" width="180" height="16" rx="4" fill="${accent}"/><rect x="204" y="276" width="120" height="12" rx="4" fill="#a5b0c0"/>
<rect x="270" y="380" width="100" height="40" fill="#1f2a3a"/><rect x="220" y="416" width="200" height="14" rx="7" fill="#1f2a3a"/></svg>`

/** What happened so many hours after it was submitted. */
type Deed =
  | { hours: number; step: StaffStep; text?: string }
  | { hours: number; by: 'partner' | 'vendor' | 'note'; text: string; pictured?: number }
  | { hours: number; ends: 'close' | 'expire' }
  | { hours: number; rated: Score; text?: string }

type Asked = {
  agentId: number
  /** Which of the agency's shops it is about. */
  shop?: number
  days: number
  kind: OrderKind
  urgency: Urgency
  title: string
  text: string
  pictured?: number
  deeds: readonly Deed[]
}

const { first, other, below } = DEMO_AGENTS
const ASKED: readonly Asked[] = [
  {
    ...{ agentId: first, shop: 0, days: 0.1, kind: 'fault', urgency: 'critical', pictured: 2 },
    title: '收银台整店无法登录',
    text: '早上开门后所有收银台都提示「服务未连接」，重启路由器无效，客人在排队，请马上处理。',
    deeds: [],
  },
  {
    ...{ agentId: other, days: 0.2, kind: 'payment', urgency: 'urgent' },
    title: '昨日微信对账少一笔 128 元',
    text: '商户后台流水有这一笔，我们的收款报表没有，交易单号后四位 7731。',
    deeds: [],
  },
  {
    ...{ agentId: first, shop: 4, days: 3, kind: 'data', urgency: 'urgent' },
    title: '批量导入商品后条码重复',
    text: '导入 1200 个商品，其中约 80 个条码变成了同一个，需要帮忙核对恢复。',
    deeds: [],
  },
  {
    ...{ agentId: below, shop: 0, days: 0.6, kind: 'setup', urgency: 'normal' },
    title: '新店开通扫码点餐',
    text: '店铺下周一开业，请帮忙开通扫码点餐并配置 20 个桌码。',
    deeds: [{ hours: 2, step: 'accept' }],
  },
  {
    ...{ agentId: other, shop: 1, days: 1.1, kind: 'hardware', urgency: 'urgent', pictured: 1 },
    title: '标签秤与收银台连接不稳定',
    text: '更换过网线和交换机端口，仍然每半小时断开一次，型号见图。',
    deeds: [
      { hours: 0.5, step: 'accept' },
      { hours: 0.6, by: 'note', text: '同型号已有两家反馈，先确认固件版本' },
    ],
  },
  {
    ...{ agentId: first, shop: 1, days: 1.4, kind: 'payment', urgency: 'urgent' },
    title: '支付宝退款一直显示处理中',
    text: '昨天下午的一笔退款到现在还是「处理中」，顾客在催。',
    deeds: [
      { hours: 0.8, step: 'start' },
      { hours: 1.2, by: 'vendor', text: '已联系支付通道核实，预计今天有结果。' },
      { hours: 3, by: 'partner', text: '好的，顾客手机号尾号 4420，麻烦优先。' },
    ],
  },
  {
    ...{ agentId: first, days: 6, kind: 'data', urgency: 'normal' },
    title: '两家门店会员数据合并',
    text: '两家店合并经营，希望会员余额和积分合并到总店，共约 3000 名会员。',
    deeds: [
      { hours: 4, step: 'accept' },
      { hours: 20, step: 'start' },
      { hours: 21, by: 'note', text: '数据量不大，安排在周三夜间执行' },
    ],
  },
  {
    ...{ agentId: other, shop: 3, days: 2.2, kind: 'fault', urgency: 'normal', pictured: 1 },
    title: '小票上店名显示旧名称',
    text: '店名改过之后，后台已经是新店名，小票上还是旧的，见图。',
    deeds: [
      { hours: 3, step: 'start' },
      { hours: 5, step: 'ask', text: '请提供收银台的软件版本号和小票打印机型号。' },
    ],
  },
  {
    ...{ agentId: first, shop: 2, days: 4.3, kind: 'hardware', urgency: 'normal' },
    title: '客显屏不显示付款码',
    text: '双屏机副屏只显示广告，结账时不出现付款码。',
    deeds: [
      { hours: 2, step: 'accept' },
      { hours: 6, step: 'ask', text: '请拍一张「设置 - 客显」页面的照片。' },
      { hours: 26, by: 'partner', text: '照片见附件，设置里没有看到付款码选项。', pictured: 1 },
      { hours: 30, step: 'ask', text: '请升级到最新版本后再看一下，升级包已推送到该店。' },
    ],
  },
  {
    ...{ agentId: first, shop: 3, days: 5, kind: 'fault', urgency: 'urgent' },
    title: '打印机夜间自动离线',
    text: '每天凌晨以后第一单打印不出来，重插 USB 才恢复。',
    deeds: [
      { hours: 1, step: 'start' },
      { hours: 4, by: 'vendor', text: '与系统省电设置有关，请关闭 USB 选择性暂停，步骤已发您。' },
      { hours: 30, by: 'partner', text: '昨晚没有再出现。' },
      { hours: 32, step: 'finish', text: '已关闭省电设置，请继续观察，有问题可以重新打开。' },
    ],
  },
  {
    ...{ agentId: other, shop: 2, days: 7, kind: 'setup', urgency: 'normal' },
    title: '开通会员储值赠送规则',
    text: '充 500 送 50、充 1000 送 150，希望周末前生效。',
    deeds: [
      { hours: 3, step: 'start' },
      { hours: 25, step: 'finish', text: '规则已配置，可在「会员 - 储值规则」查看。' },
      { hours: 28, rated: '5', text: '当天就配好了，很及时' },
    ],
  },
  {
    ...{ agentId: below, days: 9, kind: 'other', urgency: 'normal' },
    title: '申请一场新功能线上培训',
    text: '希望给我们 6 名实施同事做一次连锁调拨的培训。',
    deeds: [
      { hours: 5, step: 'accept' },
      { hours: 30, step: 'start' },
      { hours: 76, step: 'finish', text: '培训已完成，录像链接已发到各位邮箱。' },
      { hours: 80, rated: '2', text: '时间太短，连锁价格部分没有讲到' },
    ],
  },
  {
    ...{ agentId: first, shop: 5, days: 16, kind: 'payment', urgency: 'critical' },
    title: '聚合收款码无法收款',
    text: '顾客扫码提示「商户状态异常」，门店完全无法收款。',
    deeds: [
      { hours: 0.3, step: 'start' },
      { hours: 1.5, by: 'vendor', text: '通道侧风控误判，已提交解除。', pictured: 1 },
      { hours: 2.5, step: 'finish', text: '已解除限制，收款恢复正常。' },
      { hours: 3, rated: '4' },
      { hours: 4, ends: 'close' },
    ],
  },
  {
    ...{ agentId: other, days: 24, kind: 'data', urgency: 'normal' },
    title: '导出去年全年的销售明细',
    text: '财务审计需要去年全年的销售明细，后台一次只能导出三个月。',
    deeds: [
      { hours: 8, step: 'accept' },
      { hours: 20, step: 'start' },
      { hours: 45, step: 'finish', text: '文件已放到贵司的文件下载中，有效期 7 天。' },
      { hours: 45 + 7 * 24, ends: 'expire' },
    ],
  },
  {
    ...{ agentId: first, days: 12, kind: 'other', urgency: 'normal' },
    title: '咨询软件授权迁移',
    text: '店铺换电脑，授权是否可以迁移？',
    deeds: [
      { hours: 2, by: 'vendor', text: '可以，在新电脑登录后旧电脑自动失效。' },
      { hours: 3, ends: 'close' },
    ],
  },
]

/** Drawings in the order in which they are sent. */
async function drawingsOf(demo: Demo, asked: Asked, at: number): Promise<(string | null)[]> {
  const wanted = (asked.pictured ?? 0) + asked.deeds.reduce((sum, deed) => sum + picturedIn(deed), 0)
  const drawings: (string | null)[] = []
  for (let n = 0; n < wanted; n++)
    drawings.push(
      await drawPicture(demo, terminalOf(['#d3412f', '#2f6bd3', '#b4780b'][(at + n) % 3] as string), {
        ...{ agentId: asked.agentId, purpose: WORK_ORDER_PICTURE },
        createdBy: demoOwner(demo, asked.agentId).id,
        createdAt: ago(demo, asked.days),
      }),
    )
  return drawings
}
const picturedIn = (deed: Deed) => ('pictured' in deed ? (deed.pictured ?? 0) : 0)

export async function demo(demo: Demo): Promise<void> {
  const drawings: (string | null)[][] = []
  for (const [at, asked] of ASKED.entries()) drawings.push(await drawingsOf(demo, asked, at))
  // Of shops that are in use today.
  demo.history.at(demo.now, () => {
    for (const [at, asked] of ASKED.entries()) write(demo, asked, drawings[at] ?? [])
  })
}

type Order = typeof workOrders.$inferInsert & { id: number; state: OrderState }
type Scene = { demo: Demo; order: Order; owner: Person; staff: Person; pictures: (string | null)[] }

const OPEN_DAYS = 60

function write(demo: Demo, asked: Asked, drawings: readonly (string | null)[]): void {
  const { agentId, days, kind, urgency, title, text } = asked
  const opened = ago(demo, OPEN_DAYS)
  const shops = demoShops(demo).filter(
    one => one.agentId === agentId && one.registeredAt < opened && isInUse(one, demo.now.toISOString()),
  )
  const shop = asked.shop === undefined ? undefined : shops[asked.shop]
  const owner = demoOwner(demo, agentId)
  // By chance of its own, so that what else happens in the demo stays as it is.
  const createdAt = workHour({ now: demo.now, random: makeRandom(Math.round(days * 10)) }, days)
  const order = demo.history.add(
    workOrders,
    workOrderRow({
      ...{ agentId, kind, urgency, title, createdAt, words: text },
      ...{ merchantId: (shop?.id as number | undefined) ?? null, shopName: shop?.shopName ?? '' },
      ...{ createdBy: owner.id, createdByName: owner.name, lastText: [...text].slice(0, 50).join('') },
    }),
  ) as Order
  const scene: Scene = { demo, order, owner, staff: demoStaff(demo), pictures: [...drawings] }
  note(scene, owner, createdAt, '提交了工单', [
    { name: '标题', before: null, after: title },
    { name: '紧急程度', before: null, after: URGENCIES[urgency] },
  ])
  say(scene, { by: 'partner', text, pictured: asked.pictured ?? 0 }, createdAt)
  tell(demo, scene.staff, createdAt, noticeOf(order, 'workOrderList', '新的工单', title))
  for (const deed of asked.deeds) happen(scene, deed, later(demo, createdAt, deed.hours))
  order.vendorSeen = order.state === 'new' ? 0 : (order.lastPartnerId ?? 0)
  order.pressingAt = pressingAt(order)
}

function happen(scene: Scene, deed: Deed, at: string): void {
  const { order, owner } = scene
  if ('by' in deed) say(scene, { ...deed, pictured: deed.pictured ?? 0 }, at)
  else if ('step' in deed) step(scene, deed, at)
  else if ('rated' in deed) {
    order.partnerSeen = order.lastVendorId ?? 0
    Object.assign(order, { satisfaction: deed.rated, ratingText: deed.text ?? '', ratedAt: at })
    const after = SATISFACTION_WORDS[deed.rated]
    note(scene, owner, at, '评价了工单', [{ name: '满意度', before: null, after }])
  } else {
    Object.assign(order, { closedAt: at, partnerSeen: order.lastVendorId ?? 0 })
    if (deed.ends === 'close') moved(scene, 'close', { at, by: owner, title: '关闭了工单' })
    else moved(scene, 'expire', { at, by: { ...owner, id: 0, name: '系统' }, title: '完成后已自动关闭' })
  }
}

function step(scene: Scene, { step, text = '' }: Extract<Deed, { step: StaffStep }>, at: string): void {
  const { demo, order, owner, staff } = scene
  if (text !== '') say(scene, { by: 'vendor', text, pictured: 0 }, at)
  if (step === 'ask') order.stoppedAt = at
  if (step === 'finish') order.doneAt = at
  Object.assign(order, { assigneeId: staff.id, assigneeName: staff.name })
  moved(scene, step, { at, by: staff, title: STAFF_STEPS[step] })
  tell(demo, owner, at, noticeOf(order, 'workOrder', `您的工单${ORDER_STATES[order.state]}`, order.title))
}

type Moved = { at: string; by: Person; title: string }

function moved(scene: Scene, action: keyof typeof WORK_ORDER_STEPS, { at, by, title }: Moved): void {
  const { order } = scene
  const { to } = WORK_ORDER_STEPS[action]
  note(scene, by, at, title, [{ name: '状态', before: ORDER_STATES[order.state], after: ORDER_STATES[to] }])
  Object.assign(order, { state: to, revision: (order.revision ?? 0) + 1, changedByName: by.name })
}

type Said = { by: 'partner' | 'vendor' | 'note'; text: string; pictured: number }

function say({ demo, order, owner, staff, pictures }: Scene, { by, text, pictured }: Said, at: string): void {
  const author = by === 'partner' ? owner : staff
  const { agentId, id: workOrderId } = order
  const message = demo.history.add(
    workOrderMessages,
    workOrderMessageRow({
      ...{ agentId, workOrderId, side: by, text, createdAt: at },
      ...{ authorId: author.id, authorName: author.name },
    }),
  )
  for (const [position, fileId] of pictures.splice(0, pictured).entries())
    if (fileId !== null)
      demo.history.add(workOrderPictures, {
        ...{ messageId: message.id, position, agentId, workOrderId, fileId },
      })
  if (by === 'note') return
  Object.assign(order, {
    ...{ lastText: [...text].slice(0, 50).join(''), lastAt: at },
    words: `${order.words}\u001f${text}`,
  })
  if (by === 'vendor')
    Object.assign(order, {
      ...{ lastVendorId: message.id, vendorSeen: order.lastPartnerId ?? 0 },
      ...{ firstAnsweredAt: order.firstAnsweredAt ?? at, revision: (order.revision ?? 0) + 1 },
    })
  else Object.assign(order, { lastPartnerId: message.id, partnerSeen: order.lastVendorId ?? 0 })
  if (by === 'vendor' || order.state !== 'waiting') return
  order.dueAt = dueAfterWait(order.dueAt, order.stoppedAt ?? null, at)
  order.stoppedAt = null
  moved({ demo, order, owner, staff, pictures }, 'resume', { at, by: owner, title: '补充了说明' })
}

type FieldChange = { name: string; before: string | null; after: string | null }

function note({ demo, order }: Scene, by: Person, at: string, title: string, changes: FieldChange[]): void {
  demo.history.add(workOrderEvents, {
    ...{ agentId: order.agentId, workOrderId: order.id, title, changes },
    ...{ createdBy: by.id, createdByName: by.name, createdAt: at },
  })
}

function noticeOf(order: Order, page: 'workOrder' | 'workOrderList', title: string, body: string) {
  const link = `/admin/help/${page}?workOrder=${order.id}` as const
  return { topic: 'WorkOrder_Notify', title, body, link, args: { workOrderId: order.id } } as const
}
