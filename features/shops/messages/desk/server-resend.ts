// Sends failed messages again, at most once each; the new message names the old one and the old one the new.
import { and, asc, getTableColumns, inArray } from 'drizzle-orm'
import { nextDocumentNo } from '#features/money/ledger/server.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { RESEND_REFUSALS, refuseResend, shownPhone } from '#features/shops/messages/rules.ts'
import {
  markResent,
  type NewMessage,
  type QueuedMessage,
  queueMessages,
} from '#features/shops/messages/server-outbox.ts'
import { outboxMessages } from '#features/shops/messages/tables.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { Refusal, refuseCommon } from '#server/refuse.ts'
import type { messageDesk as contract } from './contract.ts'
import { OF_SAME_AGENT, resendPossible } from './server-log.ts'

/** Messages named in the operation log; the rest is counted. */
const NAMED = 20

export const resend: Verb<typeof contract.resend> = async (ctx, input) => {
  const ids = [...new Set(input.ids)]
  const messages = await lockMessages(ctx, ids)
  if (messages.length === 0) refuseCommon('NOT_FOUND')
  const possible = await resendPossible(ctx)
  const judged = messages.map(message => ({ message, refusal: refuseResend(message, possible) }))
  const chosen = judged.filter(({ refusal }) => refusal === null).map(({ message }) => message)
  if (chosen.length === 0) throw new Refusal('NONE_RESENDABLE', RESEND_REFUSALS.NONE_RESENDABLE)
  ctx.note(
    `${chosen.length} 条短信`,
    judged.slice(0, NAMED).map(({ message, refusal }) => ({
      name: `${shownPhone(message)} (${message.id})`,
      before: null,
      after: refusal === null ? '待发送' : RESEND_REFUSALS[refusal],
    })),
  )
  const resentAs = await queueAgain(ctx, chosen)
  return {
    queued: chosen.length,
    rows: [
      ...judged.map(({ message, refusal }) => ({
        id: message.id,
        phone: shownPhone(message),
        refusal,
        resentAs: resentAs.get(message.id) ?? null,
      })),
      ...ids
        .filter(id => messages.every(message => message.id !== id))
        .map(id => ({ id, phone: '', refusal: 'MESSAGE_UNKNOWN' as const, resentAs: null })),
    ],
  }
}

type Message = Awaited<ReturnType<typeof lockMessages>>[number]

/** In the order of their ids, so that two calls never wait for each other; a second call then sees what the first did. */
function lockMessages(ctx: Ctx, ids: number[]) {
  return ctx.db
    .select({ ...getTableColumns(outboxMessages), shopName: merchants.shopName })
    .from(outboxMessages)
    .leftJoin(merchants, OF_SAME_AGENT)
    .where(and(inArray(outboxMessages.id, ids), ownRows(ctx, outboxMessages.agentId)))
    .orderBy(asc(outboxMessages.id))
    .for('update', { of: outboxMessages })
}

/** One document for each payer. Answers the new message's id by the old one's. */
async function queueAgain(ctx: Ctx, messages: readonly Message[]): Promise<Map<number, number>> {
  const documents = new Map<string, string>()
  const again: NewMessage[] = []
  for (const message of messages) {
    const { id, agentId, merchantId, kind, phone, template, params, payer, payerId } = message
    const fresh = { agentId, merchantId, kind, phone, template: template as string, params, resendOf: id }
    if (payer === 'vendor' || payerId === null) {
      again.push(fresh)
      continue
    }
    const key = `${payer} ${payerId}`
    const documentNo = documents.get(key) ?? (await nextDocumentNo(ctx))
    documents.set(key, documentNo)
    again.push({ ...fresh, payer, payerId, documentNo })
  }
  const queued = await queueMessages(ctx, again)
  const resentAs = new Map(queued.map(({ id, resendOf }) => [resendOf as number, id]))
  await markResent(ctx, resentAs)
  await tellPayers(ctx, queued)
  return resentAs
}

/** Tells agents whose credit, or whose shops' credit, another spent. */
async function tellPayers(ctx: Ctx, queued: readonly QueuedMessage[]): Promise<void> {
  const charged = queued.filter(message => message.charged > 0 && message.agentId !== ctx.actor.agentId)
  for (const [agentId, messages] of Map.groupBy(charged, message => message.agentId)) {
    const pieces = messages.reduce((sum, message) => sum + message.charged, 0)
    await notify(ctx, {
      agentId,
      holding: 'messageDesk.log',
      topic: 'Resend_Notify',
      title: '失败短信已重发',
      body: `${ctx.actor.name} 重发了 ${messages.length} 条失败短信，扣短信余额 ${pieces} 条`,
      link: '/admin/merchant/smsSendLog',
      args: { ids: messages.map(({ id }) => id), pieces },
    })
  }
}
