// Threads as lists and pages show them: one's own shops', or what lies with the vendor.
import { and, asc, eq, gte, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { feedbackMessages } from '#features/care/feedback/tables.ts'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { keysIn } from '#kit/declare/fields.ts'
import type { In, Out } from '#kit/declare/op.ts'
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
import { settingOf } from '#server/office/settings.ts'
import { found } from '#server/refuse.ts'
import { latestMessages } from '#server/texts/messages.ts'
import { listPeople as presentPeople } from '#server/texts/presence.ts'
import type { threads as contract } from './contract.ts'
import { ALL_THREADS, THREAD_FIELDS, THREADS } from './fields.ts'
import { THREAD_HOURS, THREAD_LIMITS } from './rules.ts'
import { PRESENT } from './server-write.ts'
import { threadAnswers, threadMessages, threadPictures, threads } from './tables.ts'

export const ROW = {
  ...ownColumns(threads, keysIn(THREAD_FIELDS, 'row')),
  pictureId: threads.pictureId,
  unread: sql<boolean>`${threads.lastShopId} > ${threads.officeSeen}`.as('unread'),
  agentName: agents.companyName,
}

export type OwnFilters = Omit<In<typeof contract.list>, 'page' | 'size'>
export type AllFilters = Omit<In<typeof contract.all>, 'page' | 'size'>
type Filters = OwnFilters | AllFilters

/** What the acting account may open: of vendor staff what lies with the vendor, and what the vendor's own shops say. */
export function seen(ctx: Ctx): SQL | undefined {
  if (!ctx.actor.isVendorStaff) return ownRows(ctx, threads.agentId)
  return or(eq(threads.desk, 'vendor'), eq(threads.agentId, ctx.actor.agentId))
}

/** Of one's own agency alone, whoever one is. */
export function ownConditions(ctx: Ctx, filters: OwnFilters): Condition[] {
  const own = ctx.actor.isVendorStaff
    ? equal('ofAgency', threads.agentId, ctx.actor.agentId)
    : ownCondition(ctx, threads.agentId)
  return [...own, ...filtered(THREADS, filters, { ...COMPARED, desk: threads.desk }), ...searched(filters)]
}

export function allConditions(ctx: Ctx, filters: AllFilters): Condition[] {
  const { isVendorStaff } = ctx.actor
  return [
    ...(isVendorStaff ? equal('atVendor', threads.desk, 'vendor') : ownCondition(ctx, threads.agentId)),
    ...filtered(ALL_THREADS, filters, { ...COMPARED, agentId: threads.agentId }),
    ...searched(filters),
  ]
}

const COMPARED = {
  state: skewedBy('state', threads.state),
  created: threads.createdAt,
  merchantId: (id: string) =>
    /^\d{1,12}$/.test(id)
      ? equal('merchantId', threads.merchantId, Number(id))
      : [{ key: 'noShop', sql: sql`false` }],
  assigneeId: threads.assigneeId,
  kind: skewedBy('kind', threads.kind),
}

const searched = ({ search }: Filters) => (search ? containingConditions(threads.searchText, search) : [])
const orderOf = (input: Pick<Filters, 'sort' | 'order'>) =>
  sortedBy(input, { lastAt: threads.lastAt }, threads.id)

function selectRows(ctx: Ctx, order: SQL[], page?: PageIds) {
  return (page ? ctx.db.with(page) : ctx.db)
    .select(ROW)
    .from(threads)
    .innerJoin(agents, eq(agents.id, threads.agentId))
    .orderBy(...order)
    .$dynamic()
}

function pageOfThreads(
  ctx: Ctx,
  name: string,
  conditions: Condition[],
  input: Filters & { page: number; size: number },
) {
  const list: ListSource = { name, table: threads, conditions, ...orderOf(input) }
  return rowsAndTotal(ctx, list, input, page =>
    selectRows(ctx, list.order, page).innerJoin(page, eq(page.id, threads.id)),
  )
}

export const listThreads: Verb<typeof contract.list> = (ctx, input) =>
  pageOfThreads(ctx, 'threads', ownConditions(ctx, input), input)

export const listAll: Verb<typeof contract.all> = (ctx, input) =>
  pageOfThreads(ctx, 'threads_all', allConditions(ctx, input), input)

/** Every row that is filtered, in the list's order, as a statement for a cursor. */
export function selectForFile(ctx: Ctx, conditions: Condition[], filters: Filters) {
  return {
    statement: selectRows(ctx, orderOf(filters).order).where(conditionOf({ conditions })),
    values: valuesOf(conditions),
  }
}

export const showThread: Verb<typeof contract.details> = async (ctx, { id }) => {
  const [row] = await ctx.db
    .select({
      ...ROW,
      ...{ revision: threads.revision, assigneeId: threads.assigneeId, olderId: threads.olderId },
      ...{ waitingSince: threads.waitingSince, officeSeen: threads.officeSeen, shopSeen: threads.shopSeen },
      ofVendor: agents.isVendorStaff,
    })
    .from(threads)
    .innerJoin(agents, eq(agents.id, threads.agentId))
    .where(and(eq(threads.id, id), seen(ctx)))
  const thread = found(row)
  if (thread.olderId !== null) return olderThread(ctx, thread, thread.olderId)
  const rows = await messagesOf(ctx, id, true)
  return {
    thread: { ...thread, phone: thread.account },
    messages: rows.map(message => ({
      ...message,
      seen: message.id <= (message.side === 'shop' ? thread.officeSeen : thread.shopSeen),
    })),
  }
}

const SAID = {
  messages: threadMessages,
  of: threadMessages.threadId,
  pictures: threadPictures,
  most: THREAD_LIMITS.messages,
}

/** The latest of a thread, the earliest first; notes for colleagues alone. */
export const messagesOf = (ctx: Ctx, threadId: number, withNotes: boolean) =>
  latestMessages(ctx, SAID, threadId, withNotes)

type Shown = Out<typeof contract.details>

/** What was told before there were threads, as it stands there. */
async function olderThread(
  ctx: Ctx,
  thread: Omit<Shown['thread'], 'phone'>,
  olderId: number,
): Promise<Shown> {
  const [row] = await ctx.db
    .select()
    .from(feedbackMessages)
    .where(and(eq(feedbackMessages.id, olderId), ownRows(ctx, feedbackMessages.agentId)))
  const { content, pictureId, createdByName, createdAt, answer, answeredByName, answeredAt, phone } =
    found(row)
  const plain = { seen: true, rates: false, satisfaction: null, resolution: null }
  const asked = { id: 1, side: 'shop' as const, text: content, authorName: createdByName, createdAt }
  const answered = { id: 2, side: 'vendor' as const, text: answer, authorName: answeredByName, pictures: [] }
  return {
    thread: { ...thread, phone },
    messages: [
      { ...plain, ...asked, pictures: pictureId === null ? [] : [pictureId] },
      ...(answeredAt === null ? [] : [{ ...plain, ...answered, createdAt: answeredAt }]),
    ],
  }
}

export const listPresent: Verb<typeof contract.presence> = async (ctx, { id }) => {
  await findSeen(ctx, id)
  return { people: await presentPeople(ctx, PRESENT, id) }
}

export async function findSeen(ctx: Ctx, id: number) {
  const [thread] = await ctx.db
    .select({ id: threads.id, agentId: threads.agentId, merchantId: threads.merchantId })
    .from(threads)
    .where(and(eq(threads.id, id), seen(ctx)))
  return found(thread)
}

export const listAnswers: Verb<typeof contract.answers> = async ctx => ({
  rows: await ctx.db
    .select({ id: threadAnswers.id, name: threadAnswers.name, text: threadAnswers.text })
    .from(threadAnswers)
    .where(or(isNull(threadAnswers.retiredAt), sql`${threadAnswers.retiredAt} > now()`))
    .orderBy(asc(threadAnswers.position), asc(threadAnswers.id)),
})

export const listPeople: Verb<typeof contract.people> = async ctx => ({
  rows: await ctx.db
    .select({ id: accounts.id, name: accounts.name })
    .from(accounts)
    .where(and(eq(accounts.agentId, ctx.actor.agentId), accounts.enabled, isNull(accounts.deletedAt)))
    .orderBy(asc(accounts.id)),
})

const FIGURE_DAYS = 30

export const answerFigures: Verb<typeof contract.figures> = async ctx => {
  const hours = await settingOf(ctx, THREAD_HOURS)
  const since = sql`coalesce(${threads.passedAt}, ${threads.createdAt})`
  const minutes = sql`extract(epoch from ${threads.firstAnsweredAt} - ${since}) / 60`
  const number = (value: unknown) => (value === null ? null : Math.round(Number(value)))
  const [row] = await ctx.db
    .select({
      answered: sql<number>`count(*)::int`,
      averageMinutes: sql`avg(${minutes})`.mapWith(number),
      medianMinutes: sql`percentile_cont(0.5) within group (order by ${minutes})`.mapWith(number),
      withinPromise: sql<number>`(count(*) filter (where ${minutes} <= ${hours * 60}))::int`,
    })
    .from(threads)
    .where(
      and(
        isNotNull(threads.firstAnsweredAt),
        gte(threads.firstAnsweredAt, sql`now() - make_interval(days => ${FIGURE_DAYS})`),
        gte(threads.firstAnsweredAt, since),
        eq(threads.kind, 'shop'),
        eq(threads.desk, 'vendor'),
        ownRows(ctx, threads.agentId),
      ),
    )
  return { ...found(row), hours }
}
