// Messages that failed, came too late or about which nobody could tell (smsManageError), and what staff decide of the last.
import { and, desc, eq, sql } from 'drizzle-orm'
import {
  type AbnormalStatus,
  MESSAGE_STATUSES,
  refuseSettling,
  SETTLE_REFUSALS,
  shownPhone,
} from '#features/shops/messages/rules.ts'
import { recordOutcomes } from '#features/shops/messages/server-outcomes.ts'
import { outboxMessages } from '#features/shops/messages/tables.ts'
import { COUNT_CAP } from '#kit/declare/page.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import {
  type Condition,
  conditionOf,
  equal,
  type ListSource,
  literal,
  pageOfRows,
  skewed,
  totalOf,
  valuesOf,
} from '#server/list.ts'
import { refuseSecond } from '#server/office/second.ts'
import { objectKey } from '#server/operation-log.ts'
import { found, refuse } from '#server/refuse.ts'
import type { messageDesk as contract } from './contract.ts'
import { logConditions, orderOf, selectRows, withResend } from './server-log.ts'

const REASONS_SHOWN = 20

/** Written like the index of these rows. */
const ABNORMAL: Condition = {
  key: 'abnormal',
  sql: sql`${outboxMessages.status} in ('failed', 'unknown', 'expired')`,
}

export const listAbnormal: Verb<typeof contract.abnormal> = async (ctx, input) => {
  const { conditions: filters, shopsCapped } = await logConditions(ctx, input)
  const conditions = [
    ABNORMAL,
    ...filters,
    ...skewed(equal('errorCode', outboxMessages.errorCode, input.errorCode)),
    ...equal('messageId', outboxMessages.id, idOf(input.messageId)),
  ]
  const list: ListSource = {
    name: 'sms_abnormal',
    table: outboxMessages,
    conditions,
    ...orderOf(input),
  }
  const rows = await pageOfRows(ctx, list, input, page => selectRows(ctx, list, page))
  const total = await totalOf(ctx, list)
  return { rows: await withResend(ctx, rows), ...total, shopsCapped, reasons: await reasonsOf(ctx, list) }
}

/** What is no number is nobody's id: it finds nothing. */
function idOf(asked: string | undefined): number | undefined {
  if (asked === undefined) return undefined
  const id = Number(asked)
  return Number.isSafeInteger(id) ? id : 0
}

/** Of the latest COUNT_CAP rows: what the total counts. */
async function reasonsOf(ctx: Ctx, list: ListSource) {
  const key = ['sms_abnormal reasons', ...list.conditions.map(condition => condition.key)].join(' ')
  const statement = ctx.prepared(key, db => {
    const counted = db
      .select({
        errorCode: outboxMessages.errorCode,
        status: outboxMessages.status,
        reason: outboxMessages.errorText,
      })
      .from(outboxMessages)
      .where(conditionOf(list))
      .orderBy(desc(outboxMessages.createdAt), desc(outboxMessages.id))
      .limit(literal(COUNT_CAP))
      .as('counted')
    return db
      .select({
        errorCode: counted.errorCode,
        status: sql<AbnormalStatus>`${counted.status}`,
        reason: sql<string>`min(${counted.reason})`,
        messages: sql<number>`count(*)`.mapWith(Number),
      })
      .from(counted)
      .groupBy(counted.errorCode, counted.status)
      .orderBy(desc(sql`count(*)`), counted.errorCode, counted.status)
      .limit(literal(REASONS_SHOWN))
      .prepare('')
  })
  return statement.execute(valuesOf(list.conditions))
}

export const settleUnknown: Verb<typeof contract.settleUnknown> = async (ctx, { id, outcome, note }) => {
  const before = found(await findMessage(ctx, id))
  const code = refuseSettling(before.status, note)
  if (code === 'NOT_UNKNOWN')
    await refuseSecond(ctx, code, SETTLE_REFUSALS, { object: objectKey('message', id) })
  refuse(code, SETTLE_REFUSALS)
  ctx.object('message', id)
  ctx.about(before.agentId, before.merchantId)
  ctx.note(`${shownPhone(before)} (${id})`, [
    { name: '状态', before: MESSAGE_STATUSES.unknown, after: MESSAGE_STATUSES[outcome] },
    { name: '处理说明', before: null, after: note },
  ])
  await recordOutcomes(ctx, [
    { id, status: outcome, at: ctx.now.toISOString(), code: 'SETTLED', message: note, isReport: true },
  ])
  const after = found(await findMessage(ctx, id))
  return { id, status: after.status, returned: Math.max(0, before.charged - after.charged) }
}

async function findMessage(ctx: Ctx, id: number) {
  const [message] = await ctx.db
    .select({
      status: outboxMessages.status,
      kind: outboxMessages.kind,
      phone: outboxMessages.phone,
      agentId: outboxMessages.agentId,
      merchantId: outboxMessages.merchantId,
      charged: outboxMessages.charged,
    })
    .from(outboxMessages)
    .where(and(eq(outboxMessages.id, id), ownRows(ctx, outboxMessages.agentId)))
    .for('update')
  return message
}
