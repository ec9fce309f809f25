import { REFUSALS as MERCHANT_REFUSALS } from '#features/shops/merchants/rules.ts'
import { listInput, outputShape } from '#kit/declare/list-input.ts'
import { download, errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { linesText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { DOCUMENT_FIELDS, DOCUMENTS } from './fields.ts'
import {
  DOCUMENT_KIND_KEYS,
  DOCUMENT_USERS,
  type DocumentUser,
  ERASE_REFUSALS,
  KEEP_REFUSALS,
  LOOK_PURPOSE_KEYS,
  LOOK_PURPOSES,
  type LookPurpose,
  REPLACE_REFUSALS,
} from './rules.ts'

const kind = z.enum(DOCUMENT_KIND_KEYS)
const user = z.enum(Object.keys(DOCUMENT_USERS) as [DocumentUser, ...DocumentUser[]])
const STALE = ['documents']

const DocumentRow = z.object({
  ...outputShape(DOCUMENT_FIELDS, 'row'),
  width: z.number(),
  height: z.number(),
  byteSize: z.number(),
  usedBy: z.array(user),
})

const ListedRow = DocumentRow.extend({
  shopName: z.string(),
  agentId: z.number(),
  agentName: z.string(),
})

const ends = { expiresOn: z.iso.date().nullable().default(null), isLongTerm: z.boolean().default(false) }

export const documents = {
  ofShop: op(
    { permission: 'documents.view' },
    { method: 'GET', path: '/documents/shop', summary: 'The papers of one shop' },
  )
    .input(z.object({ merchantId: whole(1) }))
    .output(z.object({ rows: z.array(DocumentRow) })),
  /** `soon`: how many of those in use have ended, or end within 15 and within 60 days; counted up to 10,000. */
  list: op(
    { permission: 'documents.list', mayLag: true },
    {
      method: 'GET',
      path: '/documents',
      summary: 'The papers of all shops, what ends first in the beginning',
    },
  )
    .errors(errorsOf({ SEARCH_TOO_SHORT: MERCHANT_REFUSALS.SEARCH_TOO_SHORT }))
    .input(z.object(listInput(DOCUMENTS)))
    .output(
      pageOf(ListedRow).extend({
        soon: z.object({ ended: z.number(), in15: z.number(), in60: z.number() }),
        /** More shops match what is searched than are looked for. */
        shopsCapped: z.boolean(),
      }),
    ),
  /** The same picture of the same kind is the same paper. */
  keep: op(
    { permission: 'documents.keep', log: '上传证件资料', stale: STALE },
    { method: 'POST', path: '/documents', summary: 'Keep an uploaded picture as a paper of a shop' },
  )
    .errors(errorsOf({ ...KEEP_REFUSALS, ...REPLACE_REFUSALS }))
    .input(
      z.object({
        merchantId: whole(1),
        kind,
        fileId: z.uuid(),
        ...ends,
        /** In whose place it comes. */
        replaces: whole(1).nullable().default(null),
      }),
    )
    .output(z.object({ id: z.number() })),
  setExpiry: op(
    { permission: 'documents.keep', log: '修改证件有效期', stale: STALE },
    { method: 'POST', path: '/documents/{id}/expiry', summary: 'Say when a paper ends' },
  )
    .errors(errorsOf({ EXPIRY_WRONG: KEEP_REFUSALS.EXPIRY_WRONG, ...REPLACE_REFUSALS }))
    .input(z.object({ id: whole(1), ...ends }))
    .output(z.object({ id: z.number() })),
  /** Its key and its bytes go; that it was there, and who erased it why, stays. */
  erase: op(
    { permission: 'documents.erase', log: '销毁证件资料', stale: STALE },
    { method: 'POST', path: '/documents/{id}/erasure', summary: 'Erase a paper that nothing uses' },
  )
    .errors(errorsOf(ERASE_REFUSALS))
    .input(z.object({ id: whole(1), reason: linesText.max(500) }))
    .output(z.object({ id: z.number() })),
}

const looked = z.object({ id: whole(1), purpose: z.enum(LOOK_PURPOSE_KEYS) })
const told = ({ id, purpose }: { id: number; purpose: LookPurpose }) =>
  [
    [DOCUMENT_FIELDS.id.label, String(id)],
    ['目的', LOOK_PURPOSES[purpose]],
  ] as const

export const documentDownloads = {
  /** With a mark of who looks, when and what for, in its pixels. */
  look: download({
    permission: 'documents.view',
    log: '查看证件资料',
    path: '/documents/{id}/picture',
    fileName: '证件资料',
    format: 'png',
    input: looked,
    told,
  }),
  /** As it is kept. */
  take: download({
    permission: 'documents.take',
    log: '下载证件资料',
    path: '/documents/{id}/file',
    fileName: '证件资料',
    format: 'png',
    input: looked,
    told,
  }),
  /** All of a shop that are not erased. It asks for a fresh second factor: a stolen session carries no papers away at once. */
  zip: download({
    permission: 'documents.take',
    stepUp: true,
    log: '打包下载证件资料',
    path: '/documents/shop/{merchantId}/zip',
    fileName: '证件资料',
    format: 'zip',
    input: z.object({ merchantId: whole(1), purpose: z.enum(LOOK_PURPOSE_KEYS) }),
    told: ({ purpose }) => [['目的', LOOK_PURPOSES[purpose]]],
  }),
  /** That a paper was erased: who, when and why, and what the picture was known by. */
  certificate: download({
    permission: 'documents.view',
    log: '下载销毁证明',
    path: '/documents/{id}/certificate',
    fileName: '证件资料销毁证明',
    calledAfter: 'id',
    format: 'pdf',
    input: z.object({ id: whole(1) }),
    told: ({ id }) => [[DOCUMENT_FIELDS.id.label, String(id)]],
  }),
}
