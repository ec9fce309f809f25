// What renewals that shops pay online show, and their list. Words stand in rules.ts.
import { BY_DAYS, DOCUMENT_COLUMNS, DOCUMENT_FIELDS } from '#features/money/ledger/fields.ts'
import { SHOP_ORDER_FIELDS } from '#features/sales/orders/fields.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import { METHOD_NAMES, OWN_CHANNELS } from '#kit/ports/channels.ts'
import { LIMITS, RENEWAL_STATES } from './rules.ts'

export const ONLINE_RENEWAL_FIELDS = {
  id: SHOP_ORDER_FIELDS.id,
  orderNo: DOCUMENT_FIELDS.orderNo,
  agentId: DOCUMENT_FIELDS.agentId,
  agentName: DOCUMENT_FIELDS.agentName,
  merchantId: { ...DOCUMENT_FIELDS.merchantId, nullable: undefined },
  /** As it was called when it paid. */
  shopName: { kind: 'text', label: '店铺名称', fileWidth: 24, in: ['row'] },
  versionName: { kind: 'text', label: '软件版本', fileWidth: 12, in: ['row'] },
  years: { kind: 'count', label: '续费年数', unit: '年', in: ['row'] },
  shops: { kind: 'count', label: '店铺数', unit: '家', in: ['row'] },
  amountFen: { kind: 'money', label: '实付', unit: '元', in: ['row'] },
  payMethod: { ...DOCUMENT_FIELDS.payMethod, words: METHOD_NAMES, nullable: true },
  state: {
    kind: 'word',
    label: '状态',
    words: RENEWAL_STATES,
    tones: {
      waiting: 'neutral',
      paid: 'attention',
      short: 'attention',
      stuck: 'problem',
      renewed: 'done',
      refunded: 'neutral',
      expired: 'neutral',
    },
    fileWidth: 16,
    in: ['row'],
  },
  problem: { kind: 'text', label: '说明', fileWidth: 32, in: ['row'] },
  /** The version order that took the tokens. */
  versionOrderNo: { kind: 'text', label: '版本订单号', nullable: true, fileWidth: 24, in: ['row'] },
  createdAt: { kind: 'instant', label: '下单时间', in: ['row'] },
  paidAt: { kind: 'instant', label: '支付时间', nullable: true, in: ['row'] },
  renewedAt: { kind: 'instant', label: '开通时间', nullable: true, in: ['row'] },
  refundedAt: { kind: 'instant', label: '退款时间', nullable: true, in: ['row'] },
} as const satisfies Fields

export const ONLINE_RENEWALS = list({
  key: 'shopPages.renewals',
  title: '在线续费订单',
  fields: ONLINE_RENEWAL_FIELDS,
  columns: {
    shopName: DOCUMENT_COLUMNS.shopName,
    orderNo: DOCUMENT_COLUMNS.orderNo,
    versionName: { title: '版本 / 年数', width: 104, card: 'fact', below: ['years'] },
    shops: { width: 80, hidden: true },
    amountFen: { title: '实付 / 支付方式', width: 112, card: 'amount', below: ['payMethod'] },
    state: { width: 136, card: 'fact' },
    problem: { width: 120, card: 'fact' },
    paidAt: { card: 'fact' },
    renewedAt: {},
    createdAt: { hidden: true },
    refundedAt: { hidden: true },
    versionOrderNo: { width: 104, hidden: true },
    agentName: DOCUMENT_COLUMNS.agentName,
  },
  search: '订单号 / 商户ID / 店铺名称',
  filters: {
    state: byWord(ONLINE_RENEWAL_FIELDS.state),
    /** Codes that were opened and left are folded away, but for whoever asks for them. */
    unpaid: { kind: 'flag', label: '未支付的订单', chip: '未支付', words: { true: '含未支付' } },
    payMethod: { ...byWord(ONLINE_RENEWAL_FIELDS.payMethod), some: OWN_CHANNELS },
    created: BY_DAYS,
    agentId: BY_AGENT,
  },
  sorts: ['createdAt'],
  file: {
    path: '/shop-pages/renewals.xlsx',
    permission: 'shopPages.renewalsExport',
    log: '导出在线续费订单',
    name: '在线续费订单',
  },
  empty: '还没有在线续费订单。在首页自定义里开启在线续费后，商户可在门店页面自助续费',
})

export const REFUND = {
  reason: {
    kind: 'text',
    label: '退款原因',
    max: LIMITS.reason,
    control: { as: 'lines', required: true, counted: true },
  },
} as const satisfies Fields
