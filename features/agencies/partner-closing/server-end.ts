// The last step: what the partner still holds goes where the operator said, nobody of it signs in any more, and the taker is told.
import type { CreditedAsset } from '#features/money/ledger/rules.ts'
import { balancesOf, type Movement, nextDocumentNo, post } from '#features/money/ledger/server.ts'
import { markClosed } from '#features/office/agents/server-operator.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { amountText, countText } from '#kit/money.ts'
import type { Ctx } from '#server/ctx.ts'
import { logOperation } from '#server/operation-log.ts'
import { takeStep } from './server.ts'
import { hindrancesOf } from './server-rehearsal.ts'
import type { partnerClosings as closings } from './tables.ts'

export type Closing = typeof closings.$inferSelect
export type Party = { id: number; companyName: string }
/** What is in hand, in the name of whoever began it. */
export type InHand = { ctx: Ctx; closing: Closing; from: Party; to: Party }

/** Nothing of it is left behind half: balances, standing, notices and log are one transaction with the closing's own end. */
export async function endPartner(hand: InHand): Promise<void> {
  const { ctx, closing, from, to } = hand
  const blocks = await hindrancesOf(ctx, from.id)
  if (blocks.length > 0) {
    const problem = blocks.map(({ message }) => message).join('；')
    return takeStep(ctx, closing.id, 'stick', { problem })
  }
  const { tokenCents, sms } = await balancesOf(ctx, from.id)
  const documentNo = tokenCents > 0 || sms > 0 ? await nextDocumentNo(ctx) : null
  const finishedAt = ctx.now.toISOString()
  await takeStep(ctx, closing.id, 'finish', { tokenCents, sms, documentNo, finishedAt })
  await markClosed(ctx, from.id)
  await tell(hand)
  await post(ctx, documentNo === null ? [] : movementsOf(hand, documentNo, { token: tokenCents, sms }))
  const left = [
    { name: '代币', before: amountText(tokenCents, '代币'), after: amountText(0, '代币') },
    { name: '短信', before: countText(sms, '条'), after: countText(0, '条') },
  ].filter(({ before, after }) => before !== after)
  for (const about of [from, to])
    await logOperation(ctx, {
      operation: '/partner-closings work',
      title: '停止合作：完成',
      subject: `${from.companyName} (${from.id})`,
      objects: [`agent:${about.id}`],
      changes: [{ name: '状态', before: '已暂停', after: '停用' }, ...left],
      by: ctx.actor,
      aboutAgentId: about.id,
    })
}

/** Taken back into the vendor's books, or handed to the taker by way of them. */
function movementsOf(
  { closing, from, to }: InHand,
  document: string,
  held: Record<CreditedAsset, number>,
): Movement[] {
  const isMoved = closing.balances === 'move'
  const books = isMoved
    ? ({ token: 'payment-clearing', sms: 'payment-clearing' } as const)
    : ({ token: 'issued', sms: 'sms-supplier' } as const)
  return (['token', 'sms'] as const).flatMap((asset): Movement[] => {
    const amount = held[asset]
    if (amount <= 0) return []
    const book = { kind: 'vendor', book: books[asset] } as const
    const both = { kind: 'closing', asset, amount, document, payMethod: 'balance' } as const
    const out: Movement = {
      ...both,
      from: { kind: 'agent', id: from.id },
      to: book,
      agentId: from.id,
      description: isMoved ? `停止合作，转给 ${to.companyName}` : '停止合作，收回',
      remark: closing.reason,
    }
    if (!isMoved) return [out]
    const into: Movement = {
      ...both,
      from: book,
      to: { kind: 'agent', id: to.id },
      agentId: to.id,
      description: `${from.companyName} 停止合作，转入`,
      remark: closing.reason,
    }
    return [out, into]
  })
}

async function tell({ ctx, closing, from, to }: InHand): Promise<void> {
  const shops = countText(closing.moved, '家')
  await notify(ctx, {
    agentId: to.id,
    holding: 'merchants.list',
    topic: 'ShopMoved_Notify',
    title: '商户已转入',
    body: `${from.companyName} 的 ${shops}商户已转给您`,
    link: '/admin/merchant/myMerchant',
    args: { from: from.id, to: to.id },
  })
  await notify(ctx, {
    accountIds: [closing.createdBy],
    topic: 'ShopMoved_Notify',
    title: '停止合作已完成',
    body: `${from.companyName} 的 ${shops}商户已转给 ${to.companyName}`,
    link: `/admin/operations/closings?closing=${closing.id}`,
    args: { from: from.id, to: to.id },
  })
}
