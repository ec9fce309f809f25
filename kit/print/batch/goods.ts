// A chosen article of a shop as a row of a batch. Pure.
import { formatCents } from '#kit/money.ts'
import type { PosGood } from '#kit/ports/pos-service.ts'
import { formatDay, formatInstant } from '#kit/time.ts'
import type { LabelData } from '../label.ts'
import type { BatchRow } from './batch-rows.ts'
import type { BatchField } from './fields.ts'

/** What a label shows of it, by field. */
export function dataOfGood({ texts, prices, memberPrices }: PosGood): Record<string, string> {
  const priced = (all: Readonly<Record<string, number>>, before = '') =>
    Object.entries(all).map(([key, fen]) => [before + key, formatCents(fen).replaceAll(',', '')])
  return Object.fromEntries([
    ...Object.entries(texts).map(([key, text]) => [key, text.trim()]),
    ...priced(prices),
    ...priced(memberPrices, 'memberPrice.'),
  ])
}

/** Of the moment at which labels are made. */
const momentOf = (now: Date): LabelData => ({ date: formatDay(now), printTime: formatInstant(now) })

/** The columns of a label, as far as there is something for them. */
export function contentOfGood(
  fields: readonly BatchField[],
  data: LabelData,
  copies: string,
  now: Date,
): Pick<BatchRow, 'data' | 'copies'> {
  const all: LabelData = { ...momentOf(now), ...data }
  const shown = fields.flatMap(({ key }) => {
    // As a label takes it: a level without a price of its own has that of all members.
    const text = all[key] || all[key.replace(/\..*$/, '')]
    return text ? [[key, text] as const] : []
  })
  return { data: Object.fromEntries(shown), copies }
}

/** The columns in which none of them has anything. */
export const columnsWithout = (
  fields: readonly BatchField[],
  contents: readonly Pick<BatchRow, 'data'>[],
): BatchField[] => fields.filter(({ key }) => contents.every(({ data }) => !data[key]))
