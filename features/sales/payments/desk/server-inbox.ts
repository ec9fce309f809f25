// Money from outside that needs a hand: refunds that failed, callbacks that do not fit, what differs from the bills.

import { and, eq, inArray, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { CHANNEL_NAMES, DIFFERENCE_KINDS, EVENT_STATUSES } from '#features/sales/payments/rules.ts'
import {
  paymentAttempts as attempts,
  paymentDifferences as differences,
  providerEvents as events,
  paymentReconciliations as reconciliations,
  paymentRefunds as refunds,
} from '#features/sales/payments/tables.ts'
import { formatCents } from '#kit/money.ts'
import type { InboxSource } from '#server/ctx.ts'
import { isWord } from '#server/office/inbox.ts'

const PATH = '/admin/operations/payments'
const NOBODYS = { merchantId: null, shopName: '', agentId: null, agentName: '' } as const

const FAILED_REFUNDS: InboxSource = {
  key: 'payment-desk.refund',
  label: '退款失败',
  isMoney: true,
  permission: 'paymentDesk.manage',
  decides: 'paymentDesk.refund',
  for: 'staff',
  table: refunds,
  id: refunds.id,
  since: refunds.createdAt,
  waits: ({ own }) => and(own(refunds.agentId), isWord(refunds.status, 'failed')),
  async shown(ctx, ids) {
    const rows = await ctx.db
      .select({
        id: refunds.id,
        amountFen: refunds.amountFen,
        words: refunds.providerWords,
        channel: attempts.channel,
        intentId: attempts.intentId,
        agentId: refunds.agentId,
        agentName: agents.companyName,
      })
      .from(refunds)
      .innerJoin(attempts, eq(attempts.id, refunds.attemptId))
      .innerJoin(agents, eq(agents.id, refunds.agentId))
      .where(inArray(refunds.id, [...ids]))
    return rows.map(({ id, amountFen, words, channel, intentId, agentId, agentName }) => ({
      id,
      title: `${CHANNEL_NAMES[channel]}退款 ${formatCents(amountFen)} 元没有退成`,
      detail: words || '渠道没有说明原因',
      merchantId: null,
      shopName: '',
      agentId,
      agentName,
      about: intentId,
      link: `${PATH}?view=refunds&status=failed`,
    }))
  },
}

const MISFITS: InboxSource = {
  key: 'payment-desk.event',
  label: '支付通知异常',
  isMoney: true,
  folded: '条支付通知异常',
  permission: 'paymentDesk.manage',
  for: 'staff',
  table: events,
  id: events.id,
  since: events.receivedAt,
  waits: () => isWord(events.status, 'unmatched', 'refused'),
  async shown(ctx, ids) {
    const rows = await ctx.db
      .select({
        id: events.id,
        channel: events.channel,
        outTradeNo: events.outTradeNo,
        status: events.status,
        problem: events.problem,
        intentId: attempts.intentId,
      })
      .from(events)
      .leftJoin(attempts, eq(attempts.outTradeNo, events.outTradeNo))
      .where(inArray(events.id, [...ids]))
    return rows.map(({ id, channel, outTradeNo, status, problem, intentId }) => ({
      id,
      title: `${CHANNEL_NAMES[channel]}通知${EVENT_STATUSES[status]}：${outTradeNo}`,
      detail: problem || '没有对应的支付单',
      ...NOBODYS,
      about: intentId ?? '',
      link: `${PATH}?view=events&status=${status}`,
    }))
  },
}

const DIFFERENCES: InboxSource = {
  key: 'payment-desk.difference',
  label: '对账差异',
  isMoney: true,
  permission: 'paymentDesk.manage',
  decides: 'paymentDesk.reconcile',
  for: 'staff',
  table: differences,
  id: differences.id,
  since: sql`(select coalesce(${reconciliations.comparedAt}, ${reconciliations.wantedAt}) from ${reconciliations}
    where ${eq(reconciliations.id, differences.reconciliationId)})`,
  waits: () => sql`${differences.resolution} = ''`,
  async shown(ctx, ids) {
    const rows = await ctx.db
      .select({
        id: differences.id,
        kind: differences.kind,
        outTradeNo: differences.outTradeNo,
        billFen: differences.billFen,
        ourFen: differences.ourFen,
        channel: reconciliations.channel,
        day: reconciliations.day,
      })
      .from(differences)
      .innerJoin(reconciliations, eq(reconciliations.id, differences.reconciliationId))
      .where(inArray(differences.id, [...ids]))
    return rows.map(({ id, kind, outTradeNo, billFen, ourFen, channel, day }) => ({
      id,
      title: `${CHANNEL_NAMES[channel]} ${day} 账单：${DIFFERENCE_KINDS[kind]}`,
      detail: `账单 ${yuan(billFen)}，本方 ${yuan(ourFen)}，单号 ${outTradeNo}`,
      ...NOBODYS,
      about: outTradeNo,
      link: `${PATH}?view=differences&open=true`,
    }))
  },
}

function yuan(fen: number | null): string {
  return fen === null ? '没有' : `${formatCents(fen)} 元`
}

export const inbox: readonly InboxSource[] = [FAILED_REFUNDS, MISFITS, DIFFERENCES]
