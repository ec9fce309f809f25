// Columns as most lists have them, each of the row's field of that name. On a phone a column is hidden unless `card` says otherwise.
import { formatCents } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { Instant, Money } from '../format.tsx'
import { look } from '../look.ts'
import { StatusTag, type Tone } from '../StatusTag.tsx'
import type { ListColumn } from './ListPage.tsx'

type Having<Key extends string, Value> = Readonly<Record<Key, Value>>
type More<Row> = Omit<Partial<ListColumn<Row>>, 'key' | 'title'>

const NONE = <span className={look.quiet}>—</span>

export function textColumn<Key extends string>(
  key: Key,
  title: string,
  more: More<Having<Key, string | null>> = {},
): ListColumn<Having<Key, string | null>> {
  return { key, title, copy: row => row[key] ?? '', render: row => row[key] || NONE, ...more }
}

export function timeColumn<Key extends string>(
  key: Key,
  title: string,
  more: More<Having<Key, string | null>> = {},
): ListColumn<Having<Key, string | null>> {
  return {
    key,
    title,
    width: 160,
    copy: row => (row[key] === null ? '' : formatInstant(row[key])),
    render: row => <Instant at={row[key]} />,
    ...more,
  }
}

/** In 1/100 of the unit that `title` names. */
export function moneyColumn<Key extends string>(
  key: Key,
  title: string,
  more: More<Having<Key, number | null>> = {},
): ListColumn<Having<Key, number | null>> {
  return {
    key,
    title,
    width: 104,
    align: 'right',
    copy: row => (row[key] === null ? '' : formatCents(row[key])),
    render: row => (row[key] === null ? NONE : <Money cents={row[key]} />),
    ...more,
  }
}

/** One of a few words. */
export function wordColumn<Key extends string, Value extends string>(
  key: Key,
  title: string,
  names: Readonly<Record<Value, string>>,
  more: More<Having<Key, Value | null>> = {},
): ListColumn<Having<Key, Value | null>> {
  return { key, title, width: 88, render: row => (row[key] === null ? NONE : names[row[key]]), ...more }
}

/** One of a few words that stands for a state. */
export function statusColumn<Key extends string, Value extends string>(
  key: Key,
  title: string,
  names: Readonly<Record<Value, string>>,
  tones: Readonly<Record<Value, Tone>>,
  more: More<Having<Key, Value>> = {},
): ListColumn<Having<Key, Value>> {
  return {
    key,
    title,
    width: 88,
    render: row => <StatusTag tone={tones[row[key]]}>{names[row[key]]}</StatusTag>,
    card: 'fact',
    ...more,
  }
}
