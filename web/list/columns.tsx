// The columns of a list, made of its declaration; a page says how a cell is drawn that is more than its field.

import { Fragment, type ReactNode } from 'react'
import { textOf } from '#kit/declare/field-text.ts'
import { type Field, headOf } from '#kit/declare/fields.ts'
import { fieldOf, INDEX, type List } from '#kit/declare/list.ts'
import { copyText } from '../controls/copy.ts'
import { Count, Instant, Money, PhoneNumber } from '../controls/format.tsx'
import { look } from '../controls/look.ts'
import { StatusWord } from '../controls/StatusTag.tsx'
import type { ListColumn } from './list-props.ts'

/** How a cell is drawn, null for not at all; with `copy`, what a double click copies where it is not the field's own text, undefined for nothing. */
export type Cell<Row> =
  | ((row: Row) => ReactNode)
  | { render: (row: Row) => ReactNode; copy: ((row: Row) => string) | undefined }

const WIDTHS: Partial<Record<Field['kind'], number>> = {
  instant: 96,
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
  const read = (row: Row, key: string) => (row as Readonly<Record<string, unknown>>)[key]
  const drawn = (row: Row, key: string, place: number) => {
    const cell = cells[key]
    const field = fieldOf(list, key)
    if (cell) return (typeof cell === 'function' ? cell : cell.render)(row)
    const value = field === INDEX ? place : read(row, key)
    if (field.unitIn === undefined || isEmpty(value)) return shownAs(field, value)
    return (
      <>
        {shownAs(field, value)} <span className={look.quiet}>{String(read(row, field.unitIn))}</span>
      </>
    )
  }
  const copied = (row: Row, key: string) => {
    const cell = cells[key]
    return typeof cell === 'object' ? cell.copy?.(row) : textOf(fieldOf(list, key), read(row, key))
  }
  return shown.map(([key, { title, width, fixed, card, opens, hidden, below = [] }]) => {
    const field = fieldOf(list, key)
    const cell = cells[key]
    const isStacked = below.length > 0 || field.kind === 'instant'
    const isText = field.kind === 'text' && below.length === 0
    return {
      key,
      title: title ?? headOf(field),
      unit: field.unit,
      width: width ?? WIDTHS[field.kind],
      align: field.kind === 'money' || field.kind === 'count' ? 'right' : undefined,
      fixed,
      card,
      opens,
      hidden: hidden === 'staff' ? isStaff : hidden,
      sortable: list.sorts?.includes(key),
      copy: typeof cell === 'object' ? cell.copy : row => textOf(field, read(row, key)),
      isState: field.tones !== undefined,
      isEmpty: row =>
        [key, ...below].every(each => !cells[each] && !fieldOf(list, each).none && isEmpty(read(row, each))),
      lines: isStacked ? 'two' : isText ? 'wrapped' : undefined,
      render: (row, place) => drawn(row, key, place),
      below:
        below.length > 0
          ? (row, place) => (
              <Parted
                parts={below
                  .filter(other => cells[other] || !isEmpty(read(row, other)))
                  .map(other => ({ key: other, shown: drawn(row, other, place), copy: copied(row, other) }))
                  .filter(({ shown }) => shown !== null)}
              />
            )
          : undefined,
    }
  })
}

type Part = { key: string; shown: ReactNode; copy: string | undefined }

/** Several values on one line; a double click copies the one that is meant. */
function Parted({ parts }: { parts: readonly Part[] }) {
  return parts.map(({ key, shown, copy }, at) => (
    <Fragment key={key}>
      {at > 0 && ' · '}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a shortcut of the pointer; the text itself can be selected. */}
      <span
        onDoubleClick={event => {
          event.stopPropagation()
          if (copy) void copyText(copy)
        }}
      >
        {shown}
      </span>
    </Fragment>
  ))
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}

/** A value as lists, facts and receipts show it. */
export function shownAs(field: Field, value: unknown): ReactNode {
  if (isEmpty(value)) return <span className={look.quiet}>{field.none ?? '—'}</span>
  switch (field.kind) {
    case 'instant':
      return <Instant at={value as string} toMinute={field.toMinute} />
    case 'money':
      return <Money cents={value as number} />
    case 'count':
      return <Count value={value as number} />
    case 'phone':
      return <PhoneNumber number={value as string} />
    case 'id':
    case 'digits':
    case 'day':
      return <span className={look.number}>{String(value)}</span>
    case 'word': {
      const tone = field.tones?.[value as string]
      const word = textOf(field, value)
      return tone ? <StatusWord tone={tone}>{word}</StatusWord> : word
    }
    default:
      return textOf(field, value)
  }
}
