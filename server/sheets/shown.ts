// A cell as its person sees it, in one text. Where a spreadsheet shows less than the cell holds (a long number as 6.9E+12), what it holds.
import type { CellObject } from '@e965/xlsx'
import { NO_RESULT } from '#kit/words/sheet.ts'

/** What of the library is asked about formats. */
export type Formats = {
  is_date: (format: string) => boolean
  parse_date_code: (
    serial: number,
    options: { date1904: boolean },
  ) => { y: number; m: number; d: number; H: number; M: number; S: number } | null
}
/** Spreadsheets compute with 15 digits and turn the others into zeros. */
const EXACT = 1e15

export function shownText(cell: CellObject, formats: Formats, date1904: boolean): string {
  if (cell.t === 'e') return cell.w ?? '#N/A'
  if (cell.t === 'b') return cell.v ? '是' : '否'
  if (cell.t === 'n' && typeof cell.v === 'number') return numberText(cell, cell.v, formats, date1904)
  if (cell.v instanceof Date) return Number.isNaN(cell.v.getTime()) ? '' : cell.v.toISOString().slice(0, 10)
  if (cell.t === 'z') return cell.f === undefined ? '' : NO_RESULT
  return String(cell.v ?? '')
}

function numberText(cell: CellObject, value: number, formats: Formats, date1904: boolean): string {
  const format = String(cell.z ?? 'General')
  const shown = cell.w ?? plainNumber(value)
  if (formats.is_date(format)) return dateText(value, format, shown, formats, date1904)
  // Its last digits are lost: it reads as what it is.
  if (Math.abs(value) >= EXACT) return value.toExponential().toUpperCase()
  if (/^(general|@)$/i.test(format)) return plainNumber(value)
  return /E[+-]/i.test(format) && Number.isInteger(value) ? plainNumber(value) : shown
}

/** Without what computing with binary fractions leaves behind. */
function plainNumber(value: number): string {
  const text = String(Number(value.toPrecision(15)))
  return text.includes('e') ? value.toFixed(15).replace(/\.?0+$/, '') : text
}

/** As it is shown where the year stands first; one that reads differently from country to country (1/5/23) as YYYY-MM-DD. */
function dateText(value: number, format: string, shown: string, formats: Formats, date1904: boolean): string {
  const marks = format.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, '')
  if (!/[yYeEbB]/.test(marks) || /^\d{4}\D/.test(shown)) return shown
  const date = formats.parse_date_code(value, { date1904 })
  if (!date) return shown
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${String(date.y).padStart(4, '0')}-${two(date.m)}-${two(date.d)}`
  return /h/i.test(marks) ? `${day} ${two(date.H)}:${two(date.M)}` : day
}

/** Without what another file of ours, or a spreadsheet, has put before a text so that it is none of its formulas. */
export function plain(text: string, most: number): string {
  const trimmed = text.replace(/^\s*'(?=[=+\-@\t\r])/, '').trim()
  return trimmed.length > most ? trimmed.slice(0, most) : trimmed
}
