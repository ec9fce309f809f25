import { z } from 'zod'
import { outputShape } from '#kit/list-input.ts'
import { download, errorsOf, op } from '#kit/op.ts'
import { whole } from '#kit/page.ts'
import { DOCUMENT_FIELDS } from './fields.ts'
import {
  DOCUMENT_KIND_KEYS,
  DOCUMENT_USERS,
  type DocumentUser,
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

const ends = { expiresOn: z.iso.date().nullable().default(null), isLongTerm: z.boolean().default(false) }

export const documents = {
  ofShop: op(
    { permission: 'documents.view' },
    { method: 'GET', path: '/documents/shop', summary: 'The papers of one shop' },
  )
    .input(z.object({ merchantId: whole(1) }))
    .output(z.object({ rows: z.array(DocumentRow) })),
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
    input: looked,
    told,
  }),
  /** As it is kept. */
  take: download({
    permission: 'documents.take',
    log: '下载证件资料',
    path: '/documents/{id}/file',
    fileName: '证件资料',
    input: looked,
    told,
  }),
}
