import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { type Movement, post } from '#features/money/ledger/server.ts'
import { segmentsOf } from '#kit/words/segments.ts'
import type { Ctx } from '#server/ctx.ts'
import {
  type LastMessage,
  type MessageKind,
  type Payer,
  PRIORITIES,
  renderTemplate,
  SENDING_LIMITS,
  TEST_TEMPLATE,
} from './rules.ts'
import { ownSignatures } from './server-signed.ts'
import { type Template, templatesByKey } from './server-templates.ts'
import { outboxMessages } from './tables.ts'

export type NewMessage = {
  /** Whose shop it is about. */
  agentId: number
  merchantId: number | null
  kind: MessageKind
  phone: string
  /** Key of the template, and a value for each of its variables. */
  template: string
  params: Readonly<Record<string, string>>
  /** The vendor where absent. Another payer is charged at once, under `documentNo`. */
  payer?: Payer
  payerId?: number
  documentNo?: string
  campaignId?: number
  /** At once where absent. */
  notBefore?: string
  /** Not sent after this; SENDING_LIMITS.validHours after `notBefore` where absent. */
  expiresAt?: string
  resendOf?: number
}
export type QueuedMessage = Pick<
  typeof outboxMessages.$inferSelect,
  'id' | 'agentId' | 'payer' | 'payerId' | 'documentNo' | 'charged' | 'resendOf'
>

/** Rows of one statement: a statement has at most 65,535 values. */
const ROWS_MAX = 2_000

/**
 * Puts messages into the outbox in the caller's transaction and takes their expected segments from who pays, in one
 * transfer per document; last before commit. Refuses SMS_INSUFFICIENT with `missing` where the credit does not suffice.
 */
export async function queueMessages(ctx: Ctx, messages: readonly NewMessage[]): Promise<QueuedMessage[]> {
  if (messages.length === 0) return []
  const templates = await templatesByKey(ctx)
  const signatureOf = await ownSignatures(ctx, messages)
  const rows = messages.map(message =>
    rowOf(ctx, message, templates.get(message.template), signatureOf(message)),
  )
  const queued: QueuedMessage[] = []
  for (let from = 0; from < rows.length; from += ROWS_MAX)
    queued.push(
      ...(await ctx.db
        .insert(outboxMessages)
        .values(rows.slice(from, from + ROWS_MAX))
        .returning({
          id: outboxMessages.id,
          agentId: outboxMessages.agentId,
          payer: outboxMessages.payer,
          payerId: outboxMessages.payerId,
          documentNo: outboxMessages.documentNo,
          charged: outboxMessages.charged,
          resendOf: outboxMessages.resendOf,
        })),
    )
  await holdCredit(ctx, queued)
  return queued
}

function rowOf(
  ctx: Ctx,
  message: NewMessage,
  template: Template | undefined,
  /** The shop's own; empty: the vendor's. */
  own: string,
): typeof outboxMessages.$inferInsert {
  if (!template) throw new Error(`there is no template ${message.template}`)
  const missing = template.variables.find(({ name }) => message.params[name] === undefined)
  if (missing) throw new Error(`template ${message.template} needs ${missing.name}`)
  const { payer = 'vendor', payerId = null, documentNo = null } = message
  if (payer !== 'vendor' && (payerId === null || documentNo === null))
    throw new Error('who pays for a message is named with a document')
  const text = renderTemplate(template.text, message.params)
  const segments = segmentsOf(own || ctx.services.providers.smsSignature, text)
  const now = ctx.now.toISOString()
  const notBefore = message.notBefore ?? now
  return {
    ...message,
    params: { ...message.params },
    text,
    segments,
    payer,
    payerId,
    documentNo,
    charged: payer === 'vendor' ? 0 : segments,
    status: 'queued',
    priority: PRIORITIES[message.kind],
    notBefore,
    expiresAt: message.expiresAt ?? hoursAfter(notBefore, SENDING_LIMITS.validHours),
    createdBy: ctx.actor.accountId,
    createdByName: ctx.actor.name,
    createdAt: now,
  }
}

function hoursAfter(instant: string, hours: number): string {
  return new Date(Date.parse(instant) + hours * 3_600_000).toISOString()
}

/** Takes what these messages are charged from who pays for them, in one transfer per document. */
async function holdCredit(ctx: Ctx, messages: readonly QueuedMessage[]): Promise<void> {
  const byDocument = new Map<string, QueuedMessage & { payerId: number; documentNo: string }>()
  for (const { payerId, documentNo, ...message } of messages) {
    if (message.payer === 'vendor' || payerId === null || documentNo === null) continue
    const key = `${message.payer} ${payerId} ${documentNo}`
    const held = byDocument.get(key)?.charged ?? 0
    byDocument.set(key, { ...message, payerId, documentNo, charged: held + message.charged })
  }
  await post(
    ctx,
    [...byDocument.values()].map(held => creditMovement(held, held.charged)),
  )
}

/** Above 0 the payer pays the vendor's supplier; below 0 it gets back. */
export function creditMovement(
  {
    payer,
    payerId,
    documentNo,
    agentId,
  }: { payer: Payer; payerId: number; documentNo: string; agentId: number },
  pieces: number,
): Movement {
  const account = { kind: payer === 'agent' ? ('agent' as const) : ('merchant' as const), id: payerId }
  const supplier = { kind: 'vendor' as const, book: 'sms-supplier' as const }
  const isReturn = pieces < 0
  return {
    kind: isReturn ? 'sms-send-return' : 'sms-send',
    asset: 'sms',
    amount: Math.abs(pieces),
    from: isReturn ? supplier : account,
    to: isReturn ? account : supplier,
    document: documentNo,
    ...(payer === 'merchant' ? { merchantId: payerId } : {}),
    payMethod: 'balance',
    agentId,
    description: isReturn ? '短信返还' : '短信发送',
  }
}

/** Notes at messages by which they were sent again: the new one's id by the old one's. */
export async function markResent(ctx: Ctx, resentAs: ReadonlyMap<number, number>): Promise<void> {
  await ctx.db.execute(sql`
    update outbox_messages m set resent_as = n.resent_as
    from unnest(${sql.param([...resentAs.keys()])}::bigint[], ${sql.param([...resentAs.values()])}::bigint[]) as n (id, resent_as) where m.id = n.id`)
}

/** The newest of these messages; the conditions begin with what an index of the outbox does. */
export async function lastMessage(
  ctx: Ctx,
  ...of: readonly SQL[]
): Promise<(LastMessage & { createdAt: string }) | undefined> {
  const { status, errorCode, errorText, createdAt } = outboxMessages
  const [last] = await ctx.db
    .select({ status, errorCode, errorText, createdAt })
    .from(outboxMessages)
    .where(and(...of))
    .orderBy(desc(createdAt), desc(outboxMessages.id))
    .limit(1)
  return last
}

/** The newest test that the operator had sent to its own phone. */
export const lastTest = (ctx: Ctx) =>
  lastMessage(ctx, eq(outboxMessages.kind, 'account-notice'), eq(outboxMessages.template, TEST_TEMPLATE))
