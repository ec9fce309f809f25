// Work orders as lists and pages show them: an agency's own, or all of them.
import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { listAnswers as cannedReplies } from '#features/care/threads/server-rows.ts'
import { agents } from '#features/office/agents/tables.ts'
import { vendorPeople } from '#features/support/demands/server-rows.ts'
import { keysIn } from '#kit/declare/fields.ts'
import type { In } from '#kit/declare/op.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import {
  type Condition,
  conditionOf,
  containingConditions,
  equal,
  filtered,
  type ListSource,
  ownColumns,
  ownCondition,
  type PageIds,
  rowsAndTotal,
  skewedBy,
  sortedBy,
  valuesOf,
} from '#server/list.ts'
import { found } from '#server/refuse.ts'
import { latestMessages } from '#server/texts/messages.ts'
import { listPeople as presentPeople } from '#server/texts/presence.ts'
import type { workOrders as contract } from './contract.ts'
import { ALL_WORK_ORDERS, WORK_ORDER_FIELDS, WORK_ORDERS } from './fields.ts'
import { isRunning, ORDER_LIMITS, ORDER_STATE_KEYS, type OrderState } from './rules.ts'
import { PRESENT } from './server-write.ts'
import {
  workOrderEvents as events,
  workOrderMessages as messages,
  workOrderPictures as pictures,
  workOrders,
} from './tables.ts'

/** Literals, as the indexes have them. */
const RUNNING = sql.raw(
  `work_orders.state in (${ORDER_STATE_KEYS.filter(isRunning)
    .map(state => `'${state}'`)
    .join(', ')})`,
)

export const ROW = {
  ...ownColumns(workOrders, keysIn(WORK_ORDER_FIELDS, 'row')),
  pressingAt: sql<string | null>`case when ${RUNNING} then ${workOrders.dueAt} end`
    .mapWith(workOrders.dueAt)
    .as('running_until'),
  agentName: agents.companyName,
}

/** Of one's own side nobody has seen the latest that the other has said. */
function unreadFor(ctx: Ctx) {
  const { lastPartnerId, vendorSeen, lastVendorId, partnerSeen } = workOrders
  const unread = ctx.actor.isVendorStaff
    ? sql<boolean>`${lastPartnerId} > ${vendorSeen}`
    : sql<boolean>`${lastVendorId} > ${partnerSeen}`
  return unread.as('unread')
}

export type OwnFilters = Omit<In<typeof contract.list>, 'page' | 'size' | 'sort' | 'order'>
export type AllFilters = Omit<In<typeof contract.all>, 'page' | 'size' | 'sort' | 'order'>
type Sorting = { sort: 'lastAt' | 'pressingAt'; order: 'asc' | 'desc' }

const LIVE: Condition = { key: 'live', sql: isNull(workOrders.deletedAt) }
const COMPARED = {
  state: skewedBy('state', workOrders.state),
  kind: skewedBy('kind', workOrders.kind),
  urgency: skewedBy('urgency', workOrders.urgency),
  created: workOrders.createdAt,
}
const searched = (search: string | undefined) =>
  search ? containingConditions(workOrders.searchText, search) : []

/** Of one's own agency alone, whoever one is. */
export function ownConditions(ctx: Ctx, { search, ...filters }: OwnFilters): Condition[] {
  const own = ctx.actor.isVendorStaff
    ? equal('ofAgency', workOrders.agentId, ctx.actor.agentId)
    : ownCondition(ctx, workOrders.agentId)
  const compared = { ...COMPARED, satisfaction: skewedBy('satisfaction', workOrders.satisfaction) }
  return [LIVE, ...own, ...filtered(WORK_ORDERS, filters, compared), ...searched(search)]
}

export function allConditions(ctx: Ctx, { search, ...filters }: AllFilters): Condition[] {
  const now = { overdueAt: ctx.now.toISOString() }
  const compared = {
    ...COMPARED,
    agentId: workOrders.agentId,
    assigneeId: workOrders.assigneeId,
    mine: (wanted: boolean) => (wanted ? equal('mine', workOrders.assigneeId, ctx.actor.accountId) : []),
    overdue: (wanted: boolean) =>
      wanted
        ? [
            {
              key: 'overdue',
              sql: sql`${workOrders.dueAt} < ${sql.placeholder('overdueAt')} and ${RUNNING}`,
              values: now,
            },
          ]
        : [],
  }
  return [
    LIVE,
    ...ownCondition(ctx, workOrders.agentId),
    ...filtered(ALL_WORK_ORDERS, filters, compared),
    ...searched(search),
  ]
}

const orderOf = (input: Sorting) =>
  sortedBy(input, { lastAt: workOrders.lastAt, pressingAt: workOrders.pressingAt }, workOrders.id)

function selectRows(ctx: Ctx, order: SQL[], page?: PageIds) {
  return (page ? ctx.db.with(page) : ctx.db)
    .select({ ...ROW, unread: unreadFor(ctx) })
    .from(workOrders)
    .innerJoin(agents, eq(agents.id, workOrders.agentId))
    .orderBy(...order)
    .$dynamic()
}

type Asked = { name: string; conditions: Condition[]; input: Sorting & { page: number; size: number } }

function pageOfOrders(ctx: Ctx, { name, conditions, input }: Asked) {
  const list: ListSource = {
    name: `${name} for ${ctx.actor.isVendorStaff ? 'vendor' : 'partner'}`,
    table: workOrders,
    conditions,
    ...orderOf(input),
  }
  return rowsAndTotal(ctx, list, input, page =>
    selectRows(ctx, list.order, page).innerJoin(page, eq(page.id, workOrders.id)),
  )
}

export const listOrders: Verb<typeof contract.list> = (ctx, input) =>
  pageOfOrders(ctx, { name: 'work_orders', conditions: ownConditions(ctx, input), input })

export const listAll: Verb<typeof contract.all> = (ctx, input) =>
  pageOfOrders(ctx, { name: 'work_orders_all', conditions: allConditions(ctx, input), input })

export const countOwn: Verb<typeof contract.counts> = async (ctx, { state: _, ...filters }) => ({
  rows: await countsOf(ctx, ownConditions(ctx, filters)),
})

export const countAll: Verb<typeof contract.allCounts> = async (ctx, { state: _, ...filters }) => ({
  rows: await countsOf(ctx, allConditions(ctx, filters)),
})

/** Every state, also where none stands. */
async function countsOf(
  ctx: Ctx,
  conditions: readonly Condition[],
): Promise<{ state: OrderState; count: number }[]> {
  const key = ['work order counts', ...conditions.map(condition => condition.key)].join(' ')
  const statement = ctx.prepared(key, db =>
    db
      .select({ state: workOrders.state, count: sql<number>`count(*)`.mapWith(Number) })
      .from(workOrders)
      .where(conditionOf({ conditions }))
      .groupBy(workOrders.state)
      .prepare(''),
  )
  const rows = await statement.execute(valuesOf(conditions))
  const counted = new Map(rows.map(row => [row.state, row.count]))
  return ORDER_STATE_KEYS.map(state => ({ state, count: counted.get(state) ?? 0 }))
}

/** Every row that is filtered, in the list's order, as a statement for a cursor. */
export function selectForFile(ctx: Ctx, conditions: Condition[], sorting: Sorting) {
  return {
    statement: ctx.db
      .select(ROW)
      .from(workOrders)
      .innerJoin(agents, eq(agents.id, workOrders.agentId))
      .where(conditionOf({ conditions }))
      .orderBy(...orderOf(sorting).order),
    values: valuesOf(conditions),
  }
}

/** What the acting account may open. */
export function seen(ctx: Ctx): SQL | undefined {
  return and(isNull(workOrders.deletedAt), ownRows(ctx, workOrders.agentId))
}

/** What it may speak for as the agency that asked; the vendor's staff have none. */
export function ofAgency(ctx: Ctx): SQL | undefined {
  const own = ctx.actor.isVendorStaff ? eq(workOrders.agentId, ctx.actor.agentId) : undefined
  return and(seen(ctx), own)
}

const SAID = {
  messages,
  of: messages.workOrderId,
  pictures,
  most: ORDER_LIMITS.messages,
}

/** Notes are the vendor's staff's alone. */
export const showOrder: Verb<typeof contract.details> = async (ctx, { id }) => {
  const [row] = await ctx.db
    .select({
      ...ROW,
      unread: unreadFor(ctx),
      ...{ revision: workOrders.revision, createdBy: workOrders.createdBy, dueAt: workOrders.dueAt },
      ...{ assigneeId: workOrders.assigneeId, closedAt: workOrders.closedAt, ratedAt: workOrders.ratedAt },
      ...{ partnerSeen: workOrders.partnerSeen, vendorSeen: workOrders.vendorSeen },
    })
    .from(workOrders)
    .innerJoin(agents, eq(agents.id, workOrders.agentId))
    .where(and(eq(workOrders.id, id), seen(ctx)))
  const order = found(row)
  const said = await latestMessages(ctx, SAID, id, ctx.actor.isVendorStaff)
  const told = await ctx.db
    .select()
    .from(events)
    .where(and(eq(events.workOrderId, id), ownRows(ctx, events.agentId)))
    .orderBy(desc(events.id))
  return {
    order,
    messages: said.map(message => ({
      ...message,
      seen: message.id <= (message.side === 'partner' ? order.vendorSeen : order.partnerSeen),
    })),
    events: told,
  }
}

export async function findSeen(ctx: Ctx, id: number) {
  const [order] = await ctx.db
    .select({ id: workOrders.id, agentId: workOrders.agentId })
    .from(workOrders)
    .where(and(eq(workOrders.id, id), seen(ctx)))
  return found(order)
}

export const listPresent: Verb<typeof contract.presence> = async (ctx, { id }) => {
  await findSeen(ctx, id)
  return { people: await presentPeople(ctx, PRESENT, id) }
}

export const listAnswers: Verb<typeof contract.answers> = ctx => cannedReplies(ctx, undefined)

export const listPeople: Verb<typeof contract.people> = async ctx => ({ rows: await vendorPeople(ctx) })
