// What is told of a paper that is kept of a shop, and the list of those of all shops.
import { DOCUMENT_COLUMNS } from '#features/money/ledger/fields.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import { DOCUMENT_ENDS, DOCUMENT_KINDS, DOCUMENT_STATES, ERASE_REASON_MAX, SHOWN_STATES } from './rules.ts'

export const DOCUMENT_FIELDS = {
  id: { kind: 'id', label: '资料编号', in: ['row'] },
  kind: { kind: 'word', label: '资料类型', words: DOCUMENT_KINDS, in: ['row'] },
  merchantId: { kind: 'id', label: '商户ID', in: ['row'] },
  state: {
    kind: 'word',
    label: '状态',
    words: DOCUMENT_STATES,
    tones: { current: 'done', offered: 'attention', replaced: 'neutral', erased: 'neutral' },
    in: ['row'],
  },
  numberMasked: { kind: 'text', label: '证件号码', none: '', in: ['row'] },
  expiresOn: { kind: 'day', label: '到期日期', nullable: true, none: '未填写', in: ['row'] },
  isLongTerm: { kind: 'flag', label: '长期有效', in: ['row'] },
  createdAt: { kind: 'instant', label: '上传时间', in: ['row'] },
  createdByName: { kind: 'text', label: '上传人', in: ['row'] },
  /** Of one that nothing needs any more. */
  keepUntil: { kind: 'instant', label: '自动销毁时间', nullable: true, none: '', in: ['row'] },
  erasedAt: { kind: 'instant', label: '销毁时间', nullable: true, none: '', in: ['row'] },
  erasedByName: { kind: 'text', label: '销毁人', none: '', in: ['row'] },
  eraseReason: { kind: 'text', label: '销毁原因', max: ERASE_REASON_MAX, none: '', in: ['row'] },
} as const satisfies Fields

const LISTED_FIELDS = {
  ...DOCUMENT_FIELDS,
  shopName: MERCHANT_FIELDS.shopName,
  /** Days to its end, in words. */
  left: { kind: 'text', label: '剩余天数' },
  usedBy: { kind: 'text', label: '用于', none: '' },
  agentName: { kind: 'text', label: '代理商' },
} as const satisfies Fields

/** The papers of all shops, what ends first in the beginning. */
export const DOCUMENTS = list({
  key: 'documents.list',
  title: '证件资料',
  fields: LISTED_FIELDS,
  columns: {
    kind: {
      title: '资料 / 证件号码',
      width: 160,
      fixed: 'start',
      opens: true,
      card: 'title',
      below: ['numberMasked'],
    },
    shopName: { title: '店铺', width: 168, card: 'fact', below: ['merchantId'] },
    expiresOn: { title: '到期', width: 120, card: 'fact', below: ['left'] },
    state: { width: 88, card: 'fact' },
    usedBy: { width: 96, card: 'fact' },
    createdAt: { title: '上传', width: 112 },
    createdByName: { width: 80, hidden: 'staff' },
    keepUntil: { hidden: true },
    erasedAt: { hidden: true },
    erasedByName: { hidden: true },
    eraseReason: { width: 152, hidden: true },
    agentName: DOCUMENT_COLUMNS.agentName,
  },
  search: '商户ID / 店铺名称 / 账号',
  filters: {
    kind: byWord(DOCUMENT_FIELDS.kind),
    state: { kind: 'word', label: '状态', words: SHOWN_STATES, initial: 'current' },
    ends: { kind: 'word', label: '到期', words: DOCUMENT_ENDS },
    agentId: BY_AGENT,
  },
  sorts: ['expiresOn'],
  order: 'asc',
  empty: '没有符合条件的证件资料。资料在商户详情中上传，到期前 60 天和 15 天会提醒',
})

/** Why a paper is erased; the certificate tells it. */
export const ERASURE = {
  reason: {
    ...DOCUMENT_FIELDS.eraseReason,
    control: { as: 'lines', required: true, rows: 3, counted: true, hint: '会写在销毁证明上' },
  },
} as const satisfies Fields

/** When a paper ends. */
export const EXPIRY = {
  expiresOn: { ...DOCUMENT_FIELDS.expiresOn, control: { as: 'own', hint: '到期前会提醒' } },
  isLongTerm: { ...DOCUMENT_FIELDS.isLongTerm, control: { as: 'own' } },
} as const satisfies Fields

/** A paper that is to be kept. */
export const KEPT = {
  kind: { ...DOCUMENT_FIELDS.kind, control: { as: 'own', first: 'idCardFront' } },
  fileId: {
    kind: 'text',
    label: '图片',
    nullable: true,
    control: { as: 'own', required: true, missing: '请上传图片' },
  },
  ...EXPIRY,
} as const satisfies Fields
