// A batch as it is kept in this browser: what is printed and how, and how far it is. Labels are made here, sheets by the server.
import type { BatchField } from '#kit/print/batch/fields.ts'
import { copyAt, type Run, sliceOf } from '#kit/print/batch/run.ts'
import { gridOf, labelsOnSheet, type SheetSetup, sheetsNeeded } from '#kit/print/batch/sheet.ts'
import type { Calibration, Speech } from '#kit/print/bridge/bridge.ts'
import { calibrated } from '#kit/print/calibrated.ts'
import type { Label, LabelData } from '#kit/print/label.ts'
import { sceneOf } from '#kit/print/label-scene.ts'
import { labelCharacters } from '#kit/print/label-text.ts'
import { labelJobBytes } from '#kit/print/native/label-job.ts'
import { api } from '#web/client/api.ts'
import type { RunOf, RunWay } from '#web/print/print-run.ts'
import { glyphsFor } from '#web/print/useGlyphs.ts'
import type { labelBatches } from './contract.ts'
import { SHEETS_MOST } from './rules.ts'

export const batchesApi = api<typeof labelBatches>('labelBatches')

export type Template = { id: number; name: string; content: Label }
export type BatchContent = { data: LabelData; copies: number }
export type Batch = {
  id: string
  startedAt: string
  template: Template
  fields: readonly BatchField[]
  rows: readonly BatchContent[]
  way: RunWay
  /** Null: labels on a roll. */
  sheet: { setup: SheetSetup; start: number } | null
}
/** `elsewhere`: another page of this browser is printing it. */
export type Kept = { batch: Batch; run: Run; elsewhere: boolean }

const copiesOfAll = ({ rows }: Pick<Batch, 'rows'>) => rows.map(({ copies }) => copies)
export const labelsIn = (rows: readonly { copies: number }[]): number =>
  rows.reduce((sum, { copies }) => sum + copies, 0)

/** Where the labels lie that are printed as one: a label, a sheet, or the sheets of a file. */
function partOf(batch: Batch, at: number): { from: number; to: number; start: number } {
  if (!batch.sheet) return { from: at, to: at + 1, start: 0 }
  const { cells } = gridOf(batch.template.content, batch.sheet.setup)
  const labels = labelsIn(batch.rows)
  const sheets = sheetsAtOnce(batch)
  const first = labelsOnSheet(cells, labels, batch.sheet.start, at * sheets)
  const last = labelsOnSheet(cells, labels, batch.sheet.start, at * sheets + sheets - 1)
  return { from: first.from, to: last.to, start: first.start }
}

/** A printer is given sheet by sheet; files hold as many as they may. */
const sheetsAtOnce = ({ way }: Batch) => (way.kind === 'bridge' ? 1 : SHEETS_MOST)

export function sheetsOf({ template, rows, sheet }: Pick<Batch, 'template' | 'rows' | 'sheet'>): number {
  if (!sheet) return 0
  return sheetsNeeded(gridOf(template.content, sheet.setup).cells, labelsIn(rows), sheet.start)
}

export const totalOf = (batch: Batch): number =>
  batch.sheet ? Math.ceil(sheetsOf(batch) / sheetsAtOnce(batch)) : labelsIn(batch.rows)

/** Of the labels, how many are on paper for sure. */
export function labelsPrinted(batch: Batch, { printed }: Run): number {
  return printed === 0 ? 0 : partOf(batch, Math.min(printed, totalOf(batch)) - 1).to
}

/** What is printed one after the other, in a word. */
export const unitOf = ({ sheet, way }: Batch): string =>
  !sheet ? '张标签' : way.kind === 'bridge' ? '张 A4' : '个文件'

/** The one that is next, in words. */
export function partWords(batch: Batch, at: number): string {
  if (at >= totalOf(batch)) return ''
  if (batch.sheet) return `第 ${at + 1} ${unitOf(batch).replace(' ', '')}`
  const { row, copy } = copyAt(copiesOfAll(batch), at)
  const [first] = batch.fields
  const text = first ? (batch.rows[row]?.data[first.key] ?? '') : ''
  const called = text ? `“${[...text].slice(0, 20).join('')}”` : ''
  return `第 ${row + 1} 行${called}第 ${copy + 1} 份`
}

/** What the runner is given. */
export function runOf(batch: Batch): RunOf {
  const { template, way } = batch
  return {
    total: totalOf(batch),
    way,
    idOf(at, attempt) {
      if (batch.sheet) return `${batch.id}.s${at}.${attempt}`
      const { row, copy } = copyAt(copiesOfAll(batch), at)
      return `${batch.id}.${row}.${copy}.${attempt}`
    },
    nameOf: at => (batch.sheet ? `${template.name} ${at + 1}` : `${template.name} ${partWords(batch, at)}`),
    languages: batch.sheet ? ['pdf'] : ['tspl', 'zpl'],
    bytesOf: (at, language, calibration, speech) =>
      batch.sheet
        ? sheetBytes(batch, at, calibration)
        : labelBytes(batch, at, language as 'tspl' | 'zpl', calibration, speech),
  }
}

async function labelBytes(
  batch: Batch,
  at: number,
  language: 'tspl' | 'zpl',
  calibration: Calibration,
  speech: Speech,
): Promise<Uint8Array> {
  const label = batch.template.content
  const { row } = copyAt(copiesOfAll(batch), at)
  const data = batch.rows[row]?.data ?? {}
  const glyphs = await glyphsFor(labelCharacters(label, data))
  const { dots } = calibration
  const scene = calibrated(sceneOf(label, data, { dots, glyphs }), calibration)
  const job = { width: label.width, height: label.height, dots, copies: 1 }
  return labelJobBytes(language, scene, glyphs, job, speech)
}

async function sheetBytes(batch: Batch, at: number, calibration: Calibration): Promise<Uint8Array> {
  if (!batch.sheet) throw new Error('no sheets')
  const { from, to, start } = partOf(batch, at)
  const rows = sliceOf(copiesOfAll(batch), from, to).map(({ row, copies }) => ({
    data: { ...batch.rows[row]?.data },
    copies,
  }))
  const { setup } = batch.sheet
  const content = batch.template.content as never
  const { base64 } = await batchesApi.sheets({ content, rows, setup, start, calibration })
  return Uint8Array.from(atob(base64), character => character.charCodeAt(0))
}

/** What is not on paper for sure, to be printed otherwise. */
export function leftOf(batch: Batch, run: Run): BatchContent[] {
  const all = labelsIn(batch.rows)
  return sliceOf(copiesOfAll(batch), labelsPrinted(batch, run), all).map(({ row, copies }) => ({
    data: batch.rows[row]?.data ?? {},
    copies,
  }))
}
