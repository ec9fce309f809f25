// The columns of a list, made of its declaration; a page says how a cell is drawn that is more than its field.
import type { ReactNode } from 'react'
import { textOf } from '#kit/field-text.ts'
import { type Field, headOf } from '#kit/fields.ts'
import { fieldOf, INDEX, type List } from '#kit/list.ts'
import { Count, Instant, Money } from '../format.tsx'
import { look } from '../look.ts'
import { StatusTag } from '../StatusTag.tsx'
import type { ListColumn } from './ListPage.tsx'

/** How a cell is drawn; with `copy`, what a double click copies where it is not the field's own text, undefined for nothing. */
export type Cell<Row> =
  | ((row: Row) => ReactNode)
  | { render: (row: Row) => ReactNode; copy: ((row: Row) => string) | undefined }

const WIDTHS: Partial<Record<Field['kind'], number>> = {
  instant: 160,
  money: 104,
  word: 88,
  count: 88,
  flag: 72,
}

export function columnsOf<Row>(
  list: List,
  cells: Readonly<Record<string, Cell<Row> | undefined>>,
  isStaff: boolean,
): ListColumn<Row>[] {
  const shown = Object.entries(list.columns).filter(
    ([, column]) => !column.fileOnly && (isStaff || column.for !== 'staff'),
  )
  return shown.map(([key, { title, width, fixed, card, opens, hidden }]) => {
    const field = fieldOf(list, key)
    const cell = cells[key]
    const read = (row: Row) => (row as Readonly<Record<string, unknown>>)[key]
    const own = typeof cell === 'function' ? { render: cell } : cell
    return {
      key,
      title: title ?? headOf(field),
      width: width ?? WIDTHS[field.kind],
      align: field.kind === 'money' || field.kind === 'count' ? 'right' : undefined,
      fixed,
      card,
      opens,
      hidden,
      sortable: list.sorts?.includes(key),
      copy: row => textOf(field, read(row)),
      render: (row, place) => shownAs(field, field === INDEX ? place : read(row)),
      ...own,
    }
  })
}

/** A value as lists, facts and receipts show it. */
export function shownAs(field: Field, value: unknown): ReactNode {
  if (value === null || value === undefined || value === '')
    return <span className={look.quiet}>{field.none ?? '—'}</span>
  switch (field.kind) {
    case 'instant':
      return <Instant at={value as string} />
    case 'money':
      return <Money cents={value as number} />
    case 'count':
      return <Count value={value as number} />
    case 'id':
    case 'digits':
    case 'day':
      return <span className={look.number}>{String(value)}</span>
    case 'word': {
      const tone = field.tones?.[value as string]
      const word = textOf(field, value)
      return tone ? <StatusTag tone={tone}>{word}</StatusTag> : word
    }
    default:
      return textOf(field, value)
  }
}
