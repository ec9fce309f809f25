// Demo rows of clearings: how the vendor's people emptied tables of shops, and what became of it. What can still be brought back is
// really backed up and emptied at the demo's point of sale once it runs.
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { and, eq, inArray } from 'drizzle-orm'
import { DEMO_AGENTS, demoOwner, demoStaff, type Person, VENDOR } from '#features/office/access/demo.ts'
import { tell } from '#features/office/notices/demo.ts'
import { toolActions } from '#features/sales/aftersales/tables.ts'
import { type DemoShop, demoShops, isInUse } from '#features/sales/selling/demo.ts'
import { send } from '#features/shops/messages/desk/demo.ts'
import { formatCount } from '#kit/money.ts'
import type { PosTask } from '#kit/ports/pos-service.ts'
import { addDays, formatDay, startOfDay } from '#kit/time.ts'
import type { Services } from '#server/ctx.ts'
import type { Demo } from '#server/demo.ts'
import { actAsSystem } from '#server/system.ts'
import type { FieldChange } from '#server/tables.ts'
import { type ClearingEvent, type ClearingState, LIMITS, UNDECIDED } from './rules.ts'
import { rowsText } from './server-rows.ts'
import { tableClearings as clearings } from './tables.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const PROGRAM = '系统'

type Told = {
  days: number
  table: [key: string, name: string]
  rows: number
  state: ClearingState
  reason: string
  /** The operator asks, and the staff decide; the other way round where absent. */
  byOperator?: true
  /** Why it failed, was refused, or came back. */
  why?: string
  beside?: number
}
const MEMBERS: Told['table'] = ['members', '会员']
const PRODUCTS: Told['table'] = ['products', '商品']
const SALES: Told['table'] = ['sales', '销售单']
const STORED: Told['table'] = ['storedValue', '储值记录']

const TOLD: readonly Told[] = [
  { days: 96, table: SALES, rows: 3_214, state: 'expired', reason: '试营业数据，正式开业前清空' },
  { days: 71, table: PRODUCTS, rows: 168, state: 'expired', reason: '更换经营品类，重新建商品' },
  {
    days: 58,
    table: MEMBERS,
    rows: 412,
    state: 'restored',
    reason: '导入会员有误',
    why: '店主要求找回',
    beside: 6,
  },
  {
    days: 44,
    table: SALES,
    rows: 2_406,
    state: 'refused',
    reason: '店主要求清空',
    why: '营业中的店铺，须店主书面确认',
  },
  {
    days: 33,
    table: STORED,
    rows: 87,
    state: 'failed',
    reason: '储值活动测试数据',
    why: '备份失败：备份空间已满，没有清空任何数据',
  },
  { days: 27, table: PRODUCTS, rows: 231, state: 'cancelled', reason: '商品资料重复' },
  {
    days: 19,
    table: SALES,
    rows: 1_877,
    state: 'refused',
    reason: '清理历史单据',
    why: UNDECIDED,
    byOperator: true,
  },
  {
    days: 14,
    table: STORED,
    rows: 42,
    state: 'restored',
    reason: '储值规则调整',
    why: '清错店铺',
    beside: 0,
  },
  { days: 6, table: MEMBERS, rows: 0, state: 'emptied', reason: '会员资料导错，重新导入' },
  { days: 2, table: PRODUCTS, rows: 0, state: 'emptied', reason: '换系统前的旧商品', byOperator: true },
  { days: 0.4, table: SALES, rows: 1_600, state: 'waiting', reason: '试营业结束，清空测试单据' },
  { days: 0.2, table: SALES, rows: 1_600, state: 'waiting', reason: '培训演示数据', byOperator: true },
]

export function demo(demo: Demo): void {
  TOLD.forEach((told, place) => {
    demo.history.at(momentOf(demo, told.days, place), at => {
      const inUse = demoShops(demo).filter(
        shop => [DEMO_AGENTS.first, DEMO_AGENTS.other].some(id => id === shop.agentId) && isInUse(shop, at),
      )
      const shop = inUse[(place * 7 + 3) % Math.max(1, inUse.length)]
      if (shop?.id) clear(demo, told, { ...shop, id: shop.id }, at)
    })
  })
}

/** In working hours, and without a throw of the dice, which would change what the rest of the demo tells. */
function momentOf({ now }: Demo, days: number, place: number): string {
  if (days < 1) return new Date(now.getTime() - days * DAY_MS).toISOString()
  const day = startOfDay(addDays(formatDay(now), -days)).getTime()
  return new Date(day + (570 + ((place * 97) % 480)) * MINUTE_MS).toISOString()
}

type Shop = { id: number; agentId: number; shopName: string }

function clear(demo: Demo, told: Told, shop: DemoShop & { id: number }, at: string): void {
  const [staff, operator] = [demoStaff(demo), demoOwner(demo, VENDOR.operator)]
  const [by, second] = told.byOperator ? [operator, staff] : [staff, operator]
  const after = (minutes: number) => new Date(Date.parse(at) + minutes * MINUTE_MS).toISOString()
  const { state, rows, table, reason, why = '', beside = 0 } = told
  const isMany = table === SALES
  const events: ClearingEvent[] = [
    { at, text: isMany ? '提交申请，等待第二人审批' : '提交申请', by: by.name },
  ]
  const say = (minutes: number, text: string, who = PROGRAM) =>
    events.push({ at: after(minutes), text, by: who })
  const isDone = state === 'emptied' || state === 'restored' || state === 'expired'
  const row: typeof clearings.$inferInsert = {
    ...{ agentId: shop.agentId, merchantId: shop.id, shopName: shop.shopName },
    ...{ tableKey: table[0], tableName: table[1], state, rows, reason },
    ...{ askedBy: by.id, askedByName: by.name, askedAt: at, lookAt: at, events },
    waitingSince: state === 'waiting' ? at : null,
  }
  if (isMany && isDone) {
    Object.assign(row, { decidedBy: second.id, decidedByName: second.name, decidedAt: after(18) })
    say(18, '同意清空', second.name)
  }
  const about = (title: string, text: string, when: string) =>
    tell(demo, by, when, {
      ...{ topic: 'Clearing_Notify', title, body: `${shop.shopName}的${table[1]}：${text}` },
      ...{ link: `/admin/tool/clearings?shop=${shop.id}`, args: {} },
    })
  const text = (template: string, when: string, params: Record<string, string>) =>
    send(demo, {
      ...{ shop, kind: 'shop-notice', template, at: when, by },
      outcome: state === 'expired' && isMany ? 'failed' : 'delivered',
      params: { shop: shop.shopName, table: table[1], count: formatCount(rows), ...params },
    })
  if (state === 'refused') {
    refuse(row, say, { why, second, after })
    about('清空数据被驳回', why, after(35))
  }
  if (state === 'cancelled') say(1, '取消申请，没有清空任何数据', by.name)
  if (state === 'failed') {
    say(0, `开始备份 ${rowsText(rows)}`)
    say(1, why)
    row.problem = why
  }
  if (isDone) {
    const emptiedAt = after(isMany ? 22 : 2)
    const expiresAt = new Date(Date.parse(emptiedAt) + LIMITS.keptDays * DAY_MS).toISOString()
    const checksum = createHash('sha256').update(`${shop.id} ${table[0]} ${at}`).digest('hex')
    const backup = {
      backupId: `bk_${checksum.slice(0, 18)}`,
      backupRows: rows,
      checksum,
      keptUntil: expiresAt,
    }
    Object.assign(row, {
      ...backup,
      backedUpAt: after(isMany ? 21 : 1),
      emptiedRows: rows,
      emptiedAt,
      expiresAt,
    })
    if (state !== 'emptied') {
      emptiedWords(row, say)
      record(demo, 'clearTable', shop, { by, at: emptiedAt, reason, changes: emptiedChanges(row) })
      text('table-cleared', emptiedAt, { day: formatDay(expiresAt) })
    }
    if (state === 'restored') {
      const restoredAt = after(1_500)
      Object.assign(row, { restoreBy: by.id, restoreByName: by.name, restoreReason: why })
      Object.assign(row, { restoredRows: rows, besideRows: beside, restoredAt })
      say(1_499, '申请恢复', by.name)
      say(1_500, `已恢复 ${rowsText(rows)}${beside > 0 ? `，之后新增的 ${rowsText(beside)} 保留在旁` : ''}`)
      const changes = [tableChange(row), { name: '恢复行数', before: null, after: rowsText(rows) }]
      record(demo, 'restoreTable', shop, { by, at: restoredAt, reason: why, changes })
      text('table-restored', restoredAt, {})
      about('数据已恢复', `已恢复 ${rowsText(rows)}`, restoredAt)
    }
    if (state === 'expired') say(22 + LIMITS.keptDays * 1_440, '备份已过期，不能再恢复')
  }
  demo.history.add(clearings, row)
}

type Say = (minutes: number, text: string, who?: string) => unknown
type Row = typeof clearings.$inferInsert

function refuse(
  row: Row,
  say: Say,
  { why, second, after }: { why: string; second: Person; after: (minutes: number) => string },
): void {
  row.decision = why
  if (why === UNDECIDED) {
    say(72 * 60, UNDECIDED)
    return
  }
  Object.assign(row, { decidedBy: second.id, decidedByName: second.name, decidedAt: after(35) })
  say(35, `驳回申请：${why}`, second.name)
}

function emptiedWords({ rows, checksum, decidedAt }: Row, say: Say): void {
  const from = decidedAt ? 20 : 0
  say(from, `开始备份 ${rowsText(rows)}`)
  say(from + 1, `备份完成，共 ${rowsText(rows)}，校验值 ${(checksum ?? '').slice(0, 8)}`)
  say(from + 1, '开始清空')
  say(from + 2, `已清空 ${rowsText(rows)}`)
}

const tableChange = ({ tableName }: Row): FieldChange => ({ name: '数据表', before: null, after: tableName })

function emptiedChanges(row: Row): FieldChange[] {
  return [
    tableChange(row),
    { name: '行数', before: rowsText(row.rows), after: rowsText(0) },
    { name: '备份保留至', before: null, after: formatDay(row.expiresAt ?? '') },
  ]
}

type Deed = { by: Person; at: string; reason: string; changes: FieldChange[] }

function record(
  demo: Demo,
  kind: 'clearTable' | 'restoreTable',
  shop: Shop,
  { by, at, reason, changes }: Deed,
): void {
  demo.history.add(toolActions, {
    ...{ agentId: shop.agentId, merchantId: shop.id, shopName: shop.shopName, kind, changes, reason },
    ...{ createdBy: by.id, createdByName: by.name, createdAt: at },
  })
}

/** What waits is counted at the point of sale, and what is emptied is emptied there, so that it can be brought back. */
export async function openDemoClearings(services: Services): Promise<void> {
  const open = await actAsSystem(services, 'demo', ({ db }) =>
    db
      .select()
      .from(clearings)
      .where(inArray(clearings.state, ['waiting', 'emptied'])),
  )
  await Promise.all(
    open.map(one => (one.state === 'waiting' ? recount(services, one) : emptyThere(services, one))),
  )
}

type Clearing = typeof clearings.$inferSelect

async function recount(services: Services, one: Clearing): Promise<void> {
  const tables = (await services.providers.pos?.tables(one.merchantId)) ?? []
  const rows = tables.find(({ key }) => key === one.tableKey)?.rows ?? one.rows
  await actAsSystem(services, 'demo', ({ db }) =>
    db.update(clearings).set({ rows }).where(eq(clearings.id, one.id)),
  )
}

const LOOK_MS = 200

async function emptyThere(services: Services, one: Clearing): Promise<void> {
  const { pos } = services.providers
  if (!pos) return
  const { merchantId, tableKey } = one
  const acts = { backupAct: randomUUID(), emptyAct: randomUUID() }
  let task: PosTask | null = await pos.backUp(merchantId, tableKey, acts.backupAct)
  while (task?.state === 'running') {
    await pause(LOOK_MS)
    task = await pos.task(merchantId, acts.backupAct)
  }
  const backup = task?.backup
  if (!backup) return
  const { rows } = await pos.empty(merchantId, tableKey, backup, acts.emptyAct)
  const events = [...one.events]
  const row = { ...one, rows, checksum: backup.checksum }
  emptiedWords(row, (minutes, text) => {
    const at = new Date(Date.parse(one.askedAt) + minutes * MINUTE_MS).toISOString()
    events.push({ at, text, by: PROGRAM })
  })
  await actAsSystem(services, 'demo', async ({ db }) => {
    const { id: backupId, checksum, keptUntil } = backup
    await db
      .update(clearings)
      .set({
        ...acts,
        rows,
        backupId,
        backupRows: backup.rows,
        checksum,
        keptUntil,
        emptiedRows: rows,
        events,
      })
      .where(and(eq(clearings.id, one.id), eq(clearings.state, 'emptied')))
    await db.insert(toolActions).values({
      ...{
        agentId: one.agentId,
        merchantId,
        shopName: one.shopName,
        kind: 'clearTable',
        changes: emptiedChanges(row),
      },
      ...{ reason: one.reason, createdBy: one.askedBy, createdByName: one.askedByName },
      createdAt: one.emptiedAt ?? one.askedAt,
    })
  })
}
