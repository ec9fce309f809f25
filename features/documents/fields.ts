// What is told of a paper that is kept of a shop.
import type { Fields } from '#kit/fields.ts'
import { DOCUMENT_KINDS, DOCUMENT_STATES } from './rules.ts'

export const DOCUMENT_FIELDS = {
  id: { kind: 'id', label: '资料编号', in: ['row'] },
  kind: { kind: 'word', label: '资料类型', words: DOCUMENT_KINDS, in: ['row'] },
  merchantId: { kind: 'id', label: '商户ID', in: ['row'] },
  state: {
    kind: 'word',
    label: '状态',
    words: DOCUMENT_STATES,
    tones: { current: 'done', replaced: 'neutral', erased: 'neutral' },
    in: ['row'],
  },
  numberMasked: { kind: 'text', label: '证件号码', none: '', in: ['row'] },
  expiresOn: { kind: 'day', label: '到期日期', nullable: true, none: '未填写', in: ['row'] },
  isLongTerm: { kind: 'flag', label: '长期有效', in: ['row'] },
  createdAt: { kind: 'instant', label: '上传时间', in: ['row'] },
  createdByName: { kind: 'text', label: '上传人', in: ['row'] },
} as const satisfies Fields
