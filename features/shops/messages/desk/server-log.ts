// The log of what was sent (D2 screen 8): an agent's own messages and those of its shops; all for vendor staff.
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import {
  CODE_MESSAGES,
  MASKED_CODE,
  refuseResend,
  shownPhone,
  UNCHARGED,
} from '#features/shops/messages/rules.ts'
import { templatesByKey } from '#features/shops/messages/server-templates.ts'
import { outboxMessages } from '#features/shops/messages/tables.ts'
import type { In } from '#kit/declare/op.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import {
  type Condition,
  conditionOf,
  filtered,
  type ListSource,
  type Order,
  ownCondition,
  type PageIds,
  skewedBy,
  sortedBy,
  valuesOf,
} from '#server/list.ts'
import { rowsAndSums } from '#server/list-sums.ts'
import type { messageDesk as contract } from './contract.ts'
import { SENT_MESSAGES } from './fields.ts'
import { searchMessages } from './server-search.ts'

export type Filters = Omit<In<typeof contract.log>, 'page' | 'size'>

/** A code is its receiver's alone, also while it waits to be sent. */
export const SHOWN_TEXT = sql<string>`case when ${inArray(outboxMessages.kind, [...CODE_MESSAGES])}
  then coalesce(replace(${outboxMessages.text}, nullif(${outboxMessages.params}->>'code', ''), ${sql.raw(`'${MASKED_CODE}'`)}),
    regexp_replace(${outboxMessages.text}, '[0-9]{6}', ${sql.raw(`'${MASKED_CODE}'`)})) else ${outboxMessages.text} end`

/** As `segmentsDue` says. */
const SEGMENTS = sql<number>`case when ${inArray(outboxMessages.status, [...UNCHARGED])} then 0
  else coalesce(${outboxMessages.fee}, ${outboxMessages.segments}) end`

/** The shop's name only while the shop is still the message's agent's. */
export const OF_SAME_AGENT = and(
  eq(merchants.id, outboxMessages.merchantId),
  eq(merchants.agentId, outboxMessages.agentId),
)

/** Vendor staff write to shops of any agent, and pay themselves. */
function shopOf(ctx: Ctx) {
  return ctx.actor.isVendorStaff ? eq(merchants.id, outboxMessages.merchantId) : OF_SAME_AGENT
}

const ROW = {
  id: outboxMessages.id,
  createdAt: outboxMessages.createdAt,
  agentId: outboxMessages.agentId,
  agentName: agents.companyName,
  merchantId: outboxMessages.merchantId,
  shopName: merchants.shopName,
  kind: outboxMessages.kind,
  template: outboxMessages.template,
  phone: outboxMessages.phone,
  text: SHOWN_TEXT,
  status: outboxMessages.status,
  segments: outboxMessages.segments,
  fee: outboxMessages.fee,
  payer: outboxMessages.payer,
  charged: outboxMessages.charged,
  submittedAt: outboxMessages.submittedAt,
  reportedAt: outboxMessages.reportedAt,
  signature: outboxMessages.signature,
  errorCode: outboxMessages.errorCode,
  reason: outboxMessages.errorText,
  resendOf: outboxMessages.resendOf,
  resentAs: outboxMessages.resentAs,
  createdByName: outboxMessages.createdByName,
}

export const EXPORT_ROW = {
  createdAt: outboxMessages.createdAt,
  merchantId: outboxMessages.merchantId,
  shopName: merchants.shopName,
  phone: outboxMessages.phone,
  kind: outboxMessages.kind,
  text: SHOWN_TEXT.as('shown_text'),
  segments: SEGMENTS.as('used_segments'),
  status: outboxMessages.status,
  reason: outboxMessages.errorText,
  submittedAt: outboxMessages.submittedAt,
  reportedAt: outboxMessages.reportedAt,
  signature: outboxMessages.signature,
  isReissued: sql<boolean>`${outboxMessages.resentAs} is not null`.as('reissued'),
  createdByName: outboxMessages.createdByName,
  agentName: agents.companyName,
}

/** By when they were written. */
export const orderOf = (input: { sort: 'createdAt'; order: 'asc' | 'desc' }) =>
  sortedBy(input, outboxMessages, outboxMessages.id)

export const listLog: Verb<typeof contract.log> = async (ctx, input) => {
  const { conditions, shopsCapped } = await logConditions(ctx, input)
  const list: ListSource = {
    name: 'sms_log',
    table: outboxMessages,
    conditions,
    ...orderOf(input),
  }
  const answer = await rowsAndSums(ctx, list, input, page => selectRows(ctx, list, page), {
    segments: SEGMENTS,
  })
  return { ...answer, rows: await withResend(ctx, answer.rows), shopsCapped }
}

export function selectRows(ctx: Ctx, { order }: Order, page: PageIds) {
  return ctx.db
    .with(page)
    .select(ROW)
    .from(page)
    .innerJoin(outboxMessages, eq(outboxMessages.id, page.id))
    .innerJoin(agents, eq(agents.id, outboxMessages.agentId))
    .leftJoin(merchants, shopOf(ctx))
    .orderBy(...order)
}

type SelectedRow = Awaited<ReturnType<ReturnType<typeof selectRows>['execute']>>[number]

/** As they are shown, with why each cannot be sent again by whoever looks. */
export async function withResend(ctx: Ctx, rows: readonly SelectedRow[]) {
  const possible = await resendPossible(ctx)
  return rows.map(row => ({ ...row, phone: shownPhone(row), resendRefusal: refuseResend(row, possible) }))
}

/** What `refuseResend` asks about the acting account. */
export async function resendPossible(ctx: Ctx) {
  return {
    templates: new Set((await templatesByKey(ctx)).keys()),
    mayRemind: ctx.actor.permissions.has('messageDesk.remind'),
  }
}

/** Every row that is filtered, in the list's order, as a statement for a cursor. */
export async function selectForExport(ctx: Ctx, filters: Filters) {
  const { conditions } = await logConditions(ctx, filters)
  const statement = ctx.db
    .select(EXPORT_ROW)
    .from(outboxMessages)
    .innerJoin(agents, eq(agents.id, outboxMessages.agentId))
    .leftJoin(merchants, shopOf(ctx))
    .where(conditionOf({ conditions }))
    .orderBy(...orderOf(filters).order)
  return { statement, values: valuesOf(conditions) }
}

const REISSUED: Condition = { key: 'reissued', sql: isNotNull(outboxMessages.resentAs) }
const NOT_REISSUED: Condition = { key: 'not reissued', sql: isNull(outboxMessages.resentAs) }

export async function logConditions(ctx: Ctx, filters: Filters) {
  const searched = await searchMessages(ctx, filters.search, outboxMessages, filters.agentId)
  const conditions: Condition[] = [
    ...ownCondition(ctx, outboxMessages.agentId),
    ...filtered(SENT_MESSAGES, filters, {
      status: skewedBy('status', outboxMessages.status),
      kind: skewedBy('kind', outboxMessages.kind),
      isReissued: isReissued => [isReissued ? REISSUED : NOT_REISSUED],
      created: outboxMessages.createdAt,
      agentId: outboxMessages.agentId,
    }),
    ...searched.conditions,
  ]
  return { conditions, shopsCapped: searched.shopsCapped }
}
