// What an item of a label says with given data, before anything is laid out (D3 §3).

import { charactersOf } from './glyphs.ts'
import { given } from './input/given.ts'
import type { Label, LabelData, LabelItem } from './label.ts'
import { ELLIPSIS, oneLine } from './text-marks.ts'
import { WASHING } from './washing.ts'

/** Whose title is all its text. */
export const CUSTOM_TEXT = 'customText'

/** What is scanned, or read; '' for nothing. */
export function contentOf(item: LabelItem, data: LabelData): string {
  if (item.kind === 7) return qrContent(item, data)
  if (item.kind === 12) return item.washing.map(key => WASHING[key]).join('、')
  if (item.key === CUSTOM_TEXT) return ''
  const value = oneLine(fieldOf(item, data))
  if (item.kind === 2) return dateText(value, item.dateModel)
  if (item.kind === 3) return dateTimeText(value, item)
  const isPrice = item.kind === 5 || item.kind === 6
  return isPrice && item.showUnit && value ? value + unitOf(data) : value
}

/** The line of an item of text: title and content, or content alone. */
export function textOf(item: LabelItem, data: LabelData): string {
  const title = oneLine(item.title)
  if (item.key === CUSTOM_TEXT) return title
  return item.displayModel === 1 ? title + contentOf(item, data) : contentOf(item, data)
}

/** A price of members is that of the chosen level, where the shop has levels. */
const fieldOf = ({ key, memberLevel }: LabelItem, data: LabelData): string =>
  given(memberLevel === null ? null : data[`${key}.${memberLevel}`]) || given(data[key])

const unitOf = (data: LabelData): string => (given(data.unit) ? `元/${oneLine(given(data.unit))}` : '元')

const QR_FIELDS = { 1: 'mallUrl', 2: 'appletUrl' } as const

function qrContent({ qrKind, qrUrl }: LabelItem, data: LabelData): string {
  return (qrKind === 3 ? qrUrl : given(data[QR_FIELDS[qrKind]])).trim()
}

const DATE = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})/
const TIME = /[T ](\d{1,2}):(\d{2})(?::(\d{2}))?/

function dateText(value: string, model: 1 | 2 | 3): string {
  const [found, year, month = '', day = ''] = DATE.exec(value) ?? []
  if (!found) return value
  const [two, twoDay] = [month.padStart(2, '0'), day.padStart(2, '0')]
  if (model === 2) return `${year}年${two}月${twoDay}日`
  return [year, two, twoDay].join(model === 1 ? '-' : '/')
}

function dateTimeText(value: string, { dateModel, dateTimeModel }: LabelItem): string {
  const day = dateText(value, dateModel)
  const [found, hour = '', minute, second = '00'] = TIME.exec(value) ?? []
  if (!found || day === value || dateTimeModel === 3) return day
  const time = `${hour.padStart(2, '0')}:${minute}`
  return dateTimeModel === 1 ? `${day} ${time}:${second}` : `${day} ${time}`
}

/** The characters a label shows with these data, to ask glyphs for. */
export function labelCharacters(label: Label, ...data: readonly LabelData[]): string[] {
  const texts = label.items.flatMap(item =>
    data.map(each => oneLine(item.title) + contentOf(item, each)).concat(oneLine(item.title)),
  )
  return charactersOf([...texts, ELLIPSIS, ' '])
}
