// Labels by the batch: what a table holds, labels on sheets as a PDF. What is printed, the desk's own page and program keep.
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { printTemplates as templates } from '#features/print/print-templates/tables.ts'
import { COPIES_HEAD, fieldsOf } from '#kit/print/batch/fields.ts'
import { gridOf, labelsOnSheet, sheetScene, sheetsNeeded } from '#kit/print/batch/sheet.ts'
import { calibrated } from '#kit/print/calibrated.ts'
import type { Label } from '#kit/print/label.ts'
import { sceneOf } from '#kit/print/label-scene.ts'
import { labelCharacters } from '#kit/print/label-text.ts'
import { SAMPLES } from '#kit/print/samples.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { serveDownload } from '#server/documents/export.ts'
import { glyphsOf } from '#server/print/fonts.ts'
import { pdfOf } from '#server/print/pdf.ts'
import { found, Refusal, staffAlone } from '#server/refuse.ts'
import { drawingRoom } from '#server/rooms.ts'
import { serve } from '#server/serve.ts'
import { readBrought } from '#server/sheets/sheet.ts'
import { labelBatchDownloads, labelBatches } from './contract.ts'
import {
  BATCH_REFUSALS,
  type BatchRefusal,
  FILE_LIMITS,
  LINES_BEFORE,
  SHEETS_MOST,
  TEMPLATES_MOST,
} from './rules.ts'
import { listGoods } from './server-goods.ts'

const SHEET_LIMITS = { ...FILE_LIMITS, rows: FILE_LIMITS.rows + LINES_BEFORE }
/** Printers of sheets are fine: edges lie where they are drawn. */
const SHEET_DOTS = 24

function refuseWith(code: BatchRefusal, field: string): never {
  throw new Refusal(code, BATCH_REFUSALS[code], { field })
}

const isLabel = and(eq(templates.kind, 'label'), isNull(templates.deletedAt))

const listTemplates: Verb<typeof labelBatches.templates> = async (ctx, { search }) => {
  staffAlone(ctx)
  const rows = await ctx.db
    .select({ id: templates.id, name: templates.name, content: templates.content })
    .from(templates)
    .where(and(isLabel, search ? sql`strpos(${templates.searchText}, lower(${search})) > 0` : undefined))
    .orderBy(desc(templates.updatedAt), desc(templates.id))
    .limit(TEMPLATES_MOST + 1)
  return {
    rows: rows.slice(0, TEMPLATES_MOST).map(row => ({ ...row, content: row.content as Label })),
    more: rows.length > TEMPLATES_MOST,
  }
}

const readFile: Verb<typeof labelBatches.readFile> = async (ctx, input) => {
  staffAlone(ctx)
  return readBrought({
    agentId: ctx.actor.agentId,
    file: input.bytes,
    limits: SHEET_LIMITS,
    heads: input.heads,
    words: BATCH_REFUSALS,
  })
}

const sheets: Verb<typeof labelBatches.sheets> = async (ctx, input) => {
  staffAlone(ctx)
  const { content, rows, setup, start, calibration } = input
  const grid = gridOf(content, setup)
  if (grid.cells === 0) refuseWith('SHEET_TOO_SMALL', 'setup')
  const labels = rows.flatMap(({ data, copies }) => Array.from({ length: copies }, () => data))
  const first = start % grid.cells
  const count = sheetsNeeded(grid.cells, labels.length, first)
  if (count > SHEETS_MOST) refuseWith('SHEETS_TOO_MANY', 'rows')
  const glyphs = await glyphsOf(labelCharacters(content, ...rows.map(({ data }) => data)))
  const scenes = new Map(rows.map(({ data }) => [data, sceneOf(content, data, { dots: SHEET_DOTS, glyphs })]))
  const pages = Array.from({ length: count }, (_, sheet) => {
    const on = labelsOnSheet(grid.cells, labels.length, first, sheet)
    const drawn = labels.slice(on.from, on.to).map(data => found(scenes.get(data)))
    return { scene: calibrated(sheetScene(grid, on.start, drawn), calibration) }
  })
  const bytes = await drawingRoom.run(ctx.actor.agentId, () => pdfOf(pages))
  return { base64: bytes.toString('base64') }
}

const WIDTHS = { least: 12, most: 40 } as const

async function fieldsOfTemplate(ctx: Ctx, id: number) {
  const [template] = await ctx.db
    .select({ content: templates.content })
    .from(templates)
    .where(and(isLabel, eq(templates.id, id)))
  return fieldsOf(found(template).content as Label)
}

/** Everything is text, so that no program makes a number of a barcode; one line shows how it is filled in. */
export const templateDownload = serveDownload(labelBatchDownloads.template, async (ctx, { id }) => {
  staffAlone(ctx)
  const fields = await fieldsOfTemplate(ctx, id)
  const example = (key: string) => SAMPLES.typical[key] ?? ''
  const text = (header: string, width: number) => ({ header, width, kind: 'text' }) as const
  return {
    columns: [
      ...fields.map(({ key, label }) =>
        text(label, Math.min(WIDTHS.most, Math.max(WIDTHS.least, example(key).length * 2))),
      ),
      text(COPIES_HEAD, WIDTHS.least),
    ],
    statement: ctx.db.select({ one: sql<number>`1` }).from(sql`(values (1)) as example (one)`),
    values: {},
    cells: () => [...fields.map(({ key }) => example(key)), '1'],
  }
})

export const labelBatchesRouter = serve(labelBatches, {
  templates: listTemplates,
  readFile,
  goods: listGoods,
  sheets,
})
