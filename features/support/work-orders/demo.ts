// Demo rows of work orders: what agents asked of the vendor in the last weeks, in every state, with pictures and ratings.
import { demoOwner, demoStaff, type Person } from '#features/office/access/demo.ts'
import { tell } from '#features/office/notices/demo.ts'
import { demoShops, isInUse } from '#features/sales/selling/demo.ts'
import { makeRandom } from '#kit/random.ts'
import { ago, type Demo, drawPicture, later, workHour } from '#server/demo.ts'
import { workOrderMessageRow, workOrderRow } from './rows.ts'
import {
  dueAfterWait,
  ORDER_STATES,
  type OrderState,
  pressingAt,
  SATISFACTION_WORDS,
  STAFF_STEPS,
  type StaffStep,
  URGENCIES,
  WORK_ORDER_PICTURE,
  WORK_ORDER_STEPS,
} from './rules.ts'
import { ASKED, type Asked, type Deed } from './sample.ts'
import { workOrderEvents, workOrderMessages, workOrderPictures, workOrders } from './tables.ts'

const terminalOf = (accent: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><rect width="640" height="480" fill="#e9edf2"/>
<rect x="70" y="60" width="500" height="320" rx="14" fill="#1f2a3a"/><rect x="92" y="82" width="456" height="276" rx="6" fill="#fff"/>
<rect x="112" y="104" width="200" height="22" rx="4" fill="#c9d2df"/><rect x="112" y="144" width="260" height="14" rx="4" fill="#dfe5ed"/>
<rect x="112" y="172" width="220" height="14" rx="4" fill="#dfe5ed"/><rect x="180" y="220" width="280" height="96" rx="10" fill="#fff" stroke="${accent}" stroke-width="4"/>
<rect x="204" y="244" width="180" height="16" rx="4" fill="${accent}"/><rect x="204" y="276" width="120" height="12" rx="4" fill="#a5b0c0"/>
<rect x="270" y="380" width="100" height="40" fill="#1f2a3a"/><rect x="220" y="416" width="200" height="14" rx="7" fill="#1f2a3a"/></svg>`

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
