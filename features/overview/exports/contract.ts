import { listInput } from '#kit/declare/list-input.ts'
import { download, errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { linesText, madeText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { EXPORTS } from './fields.ts'
import { EXPORT_STATES, type ExportState, REFUSALS } from './rules.ts'

const ExportJob = z.object({
  id: z.number(),
  title: z.string(),
  /** What was filtered, in words. */
  conditions: z.string(),
  state: z.enum(Object.keys(EXPORT_STATES) as [ExportState, ...ExportState[]]),
  rowsWritten: z.number(),
  rowsExpected: z.number().nullable(),
  byteSize: z.number().nullable(),
  error: z.string(),
  createdAt: z.string(),
  finishedAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
})

const QUERY_ENTRIES_MAX = 40

export const exports = {
  /** Puts a file into the queue. `path` and `query` are those of the download; its own permission is asked for. */
  start: op(
    { permission: 'session', log: '后台导出', stepUp: true, stale: ['exports'], whileSuspended: true },
    { method: 'POST', path: '/exports', summary: 'Make the file of a list in the background' },
  )
    .errors(errorsOf(REFUSALS))
    .input(
      z.object({
        path: madeText.startsWith('/').max(100),
        query: z
          .record(z.string().max(40), madeText.max(500))
          .refine(query => Object.keys(query).length <= QUERY_ENTRIES_MAX),
        /** Rows that the list counted, where it knows. */
        rowsExpected: whole(0).nullable().default(null),
        conditions: linesText.max(300).default(''),
      }),
    )
    .output(ExportJob),
  list: op(
    { permission: 'session' },
    { method: 'GET', path: '/exports', summary: "The account's exports of the last day" },
  )
    .input(z.object(listInput(EXPORTS)))
    .output(pageOf(ExportJob)),
  cancel: op(
    { permission: 'session', log: '取消导出', stale: ['exports'], whileSuspended: true },
    { method: 'POST', path: '/exports/{id}/cancel', summary: 'Stop an export' },
  )
    .errors(errorsOf(REFUSALS))
    .input(z.object({ id: whole(1) }))
    .output(ExportJob),
}

export const exportDownloads = {
  file: download({
    permission: 'session',
    log: '下载导出文件',
    path: '/exports/{id}/file',
    fileName: '导出文件',
    input: z.object({ id: whole(1) }),
    told: ({ id }) => [['任务编号', String(id)]],
  }),
}
