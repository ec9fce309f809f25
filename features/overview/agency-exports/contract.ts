import { listInput, rowShape } from '#kit/declare/list-input.ts'
import { download, errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { linesText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { AGENCY_EXPORT_FIELDS, AGENCY_EXPORTS } from './fields.ts'
import { AGENCY_EXPORT_REFUSALS } from './rules.ts'

const manage = 'agencyExports.manage'
const stale = ['agencyExports'] as const
const ById = z.object({ id: whole(1) })
const { progress: _, ...COLUMNS } = AGENCY_EXPORT_FIELDS

const AgencyExportRow = z.object({
  id: z.number(),
  ...rowShape(COLUMNS),
  byteSize: z.number().nullable(),
  rowsWritten: z.number(),
  rowsExpected: z.number().nullable(),
  filesWritten: z.number(),
  error: z.string(),
  isCertified: z.boolean(),
})

export const agencyExports = {
  preview: op(
    { permission: manage, forKeys: false },
    { method: 'GET', path: '/agency-exports/preview', summary: 'What the archive of an agency will hold' },
  )
    .input(z.object({ agentId: whole(1) }))
    .output(
      z.object({
        companyName: z.string(),
        /** Rows by kind, as far as it has any; of many an estimate. */
        groups: z.array(z.object({ name: z.string(), rows: z.number(), isAbout: z.boolean() })),
        rows: z.number(),
        isAbout: z.boolean(),
        files: z.number(),
        /** About how large the archive will be. */
        byteSize: z.number(),
      }),
    ),
  start: op(
    { permission: manage, log: '移交代理商数据', stepUp: true, idempotent: true, stale },
    { method: 'POST', path: '/agency-exports', summary: 'Make the archive of everything of an agency' },
  )
    .errors(errorsOf(AGENCY_EXPORT_REFUSALS))
    .input(z.object({ agentId: whole(1), reason: linesText.max(500) }))
    .output(ById),
  list: op(
    { permission: manage, forKeys: false },
    { method: 'GET', path: '/agency-exports', summary: 'Archives that were made, the latest first' },
  )
    .input(z.object(listInput(AGENCY_EXPORTS)))
    .output(pageOf(AgencyExportRow)),
  retry: op(
    { permission: manage, log: '重新生成移交数据', stepUp: true, stale },
    { method: 'POST', path: '/agency-exports/{id}/retry', summary: 'Make an archive that failed' },
  )
    .errors(errorsOf(AGENCY_EXPORT_REFUSALS))
    .input(ById)
    .output(ById),
}

export const agencyExportDownloads = {
  file: download({
    permission: manage,
    stepUp: true,
    log: '下载移交数据',
    path: '/agency-exports/{id}/file',
    fileName: '移交数据',
    format: 'zip',
    input: ById,
    told: ({ id }) => [['移交编号', String(id)]],
  }),
  certificate: download({
    permission: manage,
    log: '下载数据移交证明',
    path: '/agency-exports/{id}/certificate',
    fileName: '数据移交证明',
    format: 'pdf',
    input: ById,
    told: ({ id }) => [['移交编号', String(id)]],
  }),
}
