import { LabelContent } from '#features/print/labels/contract.ts'
import { download, errorsOf, op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import { linesText, lineText, madeText, soughtText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { GOODS_LIMITS } from '#kit/ports/pos-service.ts'
import { BATCH_LIMITS } from '#kit/print/batch/batch-rows.ts'
import { SHEET_LIMITS } from '#kit/print/batch/sheet.ts'
import { UNCALIBRATED } from '#kit/print/bridge/bridge.ts'
import { CalibrationShape } from '#kit/print/bridge/bridge-messages.ts'
import type { Label } from '#kit/print/label.ts'
import { BATCH_REFUSALS, FILE_BODY_MOST, GOODS_REFUSALS, PAPER_BODY_MOST } from './rules.ts'

const permission = 'labelBatches.print'
const errors = errorsOf(BATCH_REFUSALS)
const Data = z.record(z.string(), z.string())
const length = (most: number) => z.int().min(0).max(most)

const Setup = z.strictObject({
  landscape: z.boolean(),
  marginX: length(SHEET_LIMITS.margin),
  marginY: length(SHEET_LIMITS.margin),
  gapX: length(SHEET_LIMITS.gap),
  gapY: length(SHEET_LIMITS.gap),
  cutMarks: z.boolean(),
})

const Row = z.strictObject({
  data: z.record(z.string().max(50), linesText.max(BATCH_LIMITS.text)),
  copies: whole(1, BATCH_LIMITS.copies),
})

/** As it was checked when it was saved. */
const Content = z.unknown() as unknown as z.ZodType<Label, Label>

export const labelBatches = {
  templates: op(
    { permission },
    { method: 'GET', path: '/label-batch-templates', summary: 'Label templates with their drafts' },
  )
    .input(z.object({ search: soughtText.max(100).default('') }))
    .output(
      z.object({
        rows: z.array(z.object({ id: z.number(), name: z.string(), content: Content })),
        /** There are others that the search would find. */
        more: z.boolean(),
      }),
    ),
  /** Nothing of the file is kept. */
  readFile: op(
    { permission, ephemeral: true, detached: true, bodyMost: FILE_BODY_MOST, forKeys: false },
    { method: 'POST', path: '/label-batch-tables', summary: 'The lines of a table, as texts' },
  )
    .errors(errors)
    /** Base64. */
    .input(
      z.object({
        bytes: madeText.max(FILE_BODY_MOST),
        /** Names of the columns that are looked for. */
        heads: z.array(madeText.max(100)).max(500).default([]),
      }),
    )
    .output(
      z.object({
        lines: z.array(z.object({ line: z.number(), cells: z.array(z.string()) })),
        /** What of the file was not as it seems, in words. */
        notes: z.array(z.string()),
      }),
    ),
  /** Asks the point of sale; nothing of it is kept. */
  goods: op(
    { permission, detached: true, forKeys: false },
    {
      method: 'GET',
      path: '/label-batch-goods',
      summary: 'Goods of a shop at the point of sale, with what a label shows of them',
    },
  )
    .errors(errorsOf(GOODS_REFUSALS))
    .input(
      z.object({
        merchantId: whole(1),
        search: soughtText.max(GOODS_LIMITS.search).default(''),
        category: lineText.max(GOODS_LIMITS.category).default(''),
        /** The `next` of the page before. */
        after: madeText.min(1).max(GOODS_LIMITS.cursor).optional(),
      }),
    )
    .output(
      z.object({
        shop: z.object({ id: z.number(), data: Data }),
        rows: z.array(z.object({ id: z.string(), data: Data })),
        total: z.number(),
        categories: z.array(z.string()),
        next: z.string().nullable(),
      }),
    ),
  /** Labels one after the other on A4, the first in the cell `start` of the first sheet. */
  sheets: op(
    { permission, ephemeral: true, detached: true, bodyMost: PAPER_BODY_MOST },
    { method: 'POST', path: '/label-batch-sheets', summary: 'Labels on A4 sheets as a PDF, in base64' },
  )
    .errors(errors)
    .input(
      z.object({
        content: LabelContent,
        rows: z.array(Row).min(1).max(BATCH_LIMITS.rows),
        setup: Setup,
        start: whole(0).default(0),
        calibration: CalibrationShape.default(UNCALIBRATED),
      }),
    )
    .output(z.object({ base64: z.string() })),
}

export const labelBatchDownloads = {
  /** A workbook with the heads that a label's rows have. */
  template: download({
    permission,
    log: '下载批量打印表格模板',
    path: '/label-batch-templates/{id}/table.xlsx',
    fileName: '标签批量打印',
    input: z.object({ id: whole(1) }),
    told: ({ id }) => [['模板编号', String(id)]],
  }),
}
