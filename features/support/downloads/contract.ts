import { listInput, outputShape } from '#kit/declare/list-input.ts'
import { download, errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { linesText, lineText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { DOWNLOAD_FIELDS, DOWNLOADS } from './fields.ts'
import { DOWNLOAD_REFUSALS, SYSTEM_KEYS } from './rules.ts'

const id = whole(1)
const system = z.enum(SYSTEM_KEYS)
const done = z.object({ id: z.number() })
const edit = 'downloads.edit'

export const downloads = {
  /** What is offered: the latest of each name first. */
  shown: op(
    { permission: 'session' },
    { method: 'GET', path: '/downloads', summary: 'What can be downloaded, by system' },
  ).output(
    z.object({
      rows: z.array(
        z.object({
          id: z.number(),
          system,
          name: z.string(),
          version: z.string(),
          notes: z.string(),
          fileName: z.string(),
          /** Where it lies elsewhere; empty: it is a file of ours. */
          link: z.string(),
          byteSize: z.number(),
          sha256: z.string(),
          downloads: z.number(),
          createdAt: z.string(),
          isLatest: z.boolean(),
        }),
      ),
    }),
  ),
  list: op(
    { permission: 'downloads.manage' },
    { method: 'GET', path: '/downloads/files', summary: 'All files, offered or withdrawn' },
  )
    .input(z.object(listInput(DOWNLOADS)))
    .output(
      pageOf(
        z.object({
          ...outputShape(DOWNLOAD_FIELDS, 'row'),
          fileId: z.string().nullable(),
          revision: z.number(),
        }),
      ),
    ),
  /** Without an id a new one. */
  save: op(
    { permission: edit, log: '保存下载文件', idempotent: true, stale: ['downloads'] },
    { method: 'POST', path: '/downloads/files', summary: 'Offer a file, or change one' },
  )
    .errors(errorsOf(DOWNLOAD_REFUSALS))
    .input(
      z.object({
        id: id.nullable().default(null),
        revision: whole(1).nullable().default(null),
        system: system.nullable(),
        name: lineText.max(500),
        version: lineText.max(500),
        notes: linesText.max(2_000),
        fileId: z.uuid().nullable(),
        fileName: lineText.max(500),
        link: lineText.max(500),
      }),
    )
    .output(done),
  withdraw: op(
    { permission: edit, log: '下架或恢复下载文件', stale: ['downloads'] },
    {
      method: 'PUT',
      path: '/downloads/files/{id}/withdrawal',
      summary: 'Withdraw a file, or offer it again',
    },
  )
    .errors(errorsOf(DOWNLOAD_REFUSALS))
    .input(z.object({ id, on: z.boolean() }))
    .output(done),
}

export const downloadsDownloads = {
  file: download({
    permission: 'session',
    log: '下载文件',
    path: '/downloads/files/{id}/file',
    fileName: '下载文件',
    input: z.object({ id: whole(1) }),
    told: ({ id: asked }) => [['文件编号', String(asked)]],
    counts: true,
  }),
}
