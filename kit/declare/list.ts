// What a list is: said once, in features/<district>/<x>/fields.ts. Its request, filters, chips, columns, address and file are made of it.
// Pure data, so that page, server and tests agree.
import type { DayPreset } from '../day-presets.ts'
import type { Field, Fields, Words } from './fields.ts'
import { setting } from './settings.ts'

/** Who sees it: everybody who sees the list, or vendor staff alone. */
type Audience = { readonly for?: 'staff' }

/** A list of more rows is written in the background. */
export const DIRECT_ROWS = setting({
  key: 'export-direct-rows',
  group: '导出',
  label: '直接导出最多',
  unit: '行',
  initial: 20_000,
  min: 100,
  max: 100_000,
  hint: '超过时在后台生成文件，完成后通知下载',
})

/** A file of more rows asks for a fresh second factor. */
export const STEP_UP_ROWS = 5_000

export type Filter = Audience & {
  readonly label: string
  /** The label on a chip, where it is shorter. */
  readonly chip?: string
  /** Parameters that a change of this one takes out, since their choices depend on it. */
  readonly clears?: readonly string[]
} & (
    | {
        readonly kind: 'word'
        readonly words: Words
        readonly some?: readonly string[]
        /** What is meant where none is chosen. */
        readonly initial?: string
      }
    /** A whole number out of a few, each with its words. */
    | { readonly kind: 'number'; readonly choices: readonly (readonly [value: number, text: string])[] }
    /** The id of a row that the page's `options` know. */
    | { readonly kind: 'id' }
    /** Two days; `params` are their names where they are not <key>From and <key>To. */
    | {
        readonly kind: 'days'
        readonly params?: readonly [from: string, to: string]
        readonly presets?: readonly DayPreset[]
      }
    /** The whole text; `linked`: set by links alone, with a chip and no control. */
    | { readonly kind: 'text'; readonly linked?: true }
    /** What yes and no are called, in this order; what has no word cannot be asked for. */
    | { readonly kind: 'flag'; readonly words: { readonly true?: string; readonly false?: string } }
  )

/** Characters of a text that is filtered by. */
export const TEXT_MAX = 100

export type Column = Audience & {
  /** Over a column that shows more than its field. */
  readonly title?: string
  /** Pixels. */
  readonly width?: number
  readonly fixed?: 'start' | 'end'
  /**
   * How it shows as a card on a phone; hidden when absent. An amount stands at the end of the title's line. Of a state what stands below it
   * is shown where it is whole. Columns of a `line` make the card two lines: title and amount, then they, by their values alone, and the
   * actions; what else is known of the row stands in its details.
   */
  readonly card?: 'title' | 'fact' | 'whole' | 'amount' | 'line'
  /** Its content opens the row; one column of a list. */
  readonly opens?: true
  /** Fields that stand on a second line of its cell; a file has a column for each. */
  readonly below?: readonly string[]
  /** Fields that its cell shows in its own way; a file has a column for each. */
  readonly also?: readonly string[]
  /** Only in the file. */
  readonly fileOnly?: true
  /** Only on the screen. */
  readonly screenOnly?: true
  /** Shown once a person chooses it; for vendor staff alone, who see agents in its place. */
  readonly hidden?: true | 'staff'
}

export type ListFile = {
  /** Under /api. */
  readonly path: `/${string}.xlsx`
  readonly permission: string
  /** Title of its row in the operation log. */
  readonly log: string
  readonly name: string
  readonly scope?: 'below'
}

export type List = {
  /** The operation's dotted name; columns and views are kept under it. */
  readonly key: string
  /** Under what columns and views are kept, where several lists are asked of one operation. */
  readonly keptAs?: string
  readonly title: string
  readonly fields: Fields
  readonly columns: Readonly<Record<string, Column>>
  /** What the search box looks through; without it there is none. */
  readonly search?: string
  readonly filters?: Readonly<Record<string, Filter>>
  /** Columns that sort it, the first by default. */
  readonly sorts?: readonly string[]
  /** The direction in the beginning: the latest first when absent. */
  readonly order?: 'asc' | 'desc'
  readonly file?: ListFile
  /** What an empty list says. */
  readonly empty?: string
}

type ColumnsOf<L extends List> = {
  readonly [K in keyof L['columns']]: K extends keyof L['fields'] ? Column : never
}

export function list<const L extends List>(declaration: L & { readonly columns: ColumnsOf<L> }): L {
  return declaration
}

export type FiltersOf<L extends List> = L extends {
  filters: infer F extends Readonly<Record<string, Filter>>
}
  ? F
  : Record<never, never>
type ParamOf<K extends string, F> = F extends {
  kind: 'days'
  params: readonly [infer A extends string, infer B extends string]
}
  ? A | B
  : F extends { kind: 'days' }
    ? `${K}From` | `${K}To`
    : K
export type ParamValue<F> = F extends { kind: 'word'; some: readonly (infer W extends string)[] }
  ? W
  : F extends { kind: 'word'; words: infer W }
    ? keyof W & string
    : F extends { kind: 'id' | 'number' }
      ? number
      : F extends { kind: 'flag' }
        ? boolean
        : string

/** What a person filters by, as parameters of the address and of the request. */
export type FilterParams<L extends List> = {
  [K in keyof FiltersOf<L> & string as ParamOf<K, FiltersOf<L>[K]>]?: ParamValue<FiltersOf<L>[K]>
}
type SortParams<L extends List> = L extends { sorts: readonly (infer S extends string)[] }
  ? { sort?: S; order?: 'asc' | 'desc' }
  : Record<never, never>
/** Everything about the list that its address holds. */
export type ListParams<L extends List> = FilterParams<L> &
  SortParams<L> & { search?: string; page?: number; size?: number }

/** The names of the parameters of one filter. */
export function paramsOf(key: string, filter: Filter): readonly string[] {
  if (filter.kind !== 'days') return [key]
  return filter.params ?? [`${key}From`, `${key}To`]
}

/** Every field that a file of the list can have, in the columns' order. */
export function fileKeys(list: List): string[] {
  return Object.entries(list.columns).flatMap(([key, column]) =>
    column.screenOnly ? [] : [key, ...besides(column)],
  )
}

/** The fields that a column shows besides its own. */
export function besides({ below = [], also = [] }: Column): readonly string[] {
  return [...also, ...below]
}

/** The field behind a key of the list; a list that names an unknown one is wrong as it stands. */
export function fieldOf(list: List, key: string): Field {
  const field = list.fields[key]
  if (!field) throw new Error(`${list.key} has no field ${key}`)
  return field
}

type Worded<F extends Field & { words: Words }> = {
  readonly kind: 'word'
  readonly label: string
  readonly words: F['words']
}

/** One of the words of a field, or all. */
export function byWord<const F extends Field & { words: Words }>(field: F): Worded<F> {
  return { kind: 'word', label: field.label, words: field.words }
}

/** For vendor staff, who see the rows of all agents. */
export const BY_AGENT = { kind: 'id', label: '代理商', for: 'staff' } as const

/** The row's place in the whole list, counted by the page: only on the screen. */
export const INDEX = { kind: 'count', label: '序号' } as const

const PLACE = ['page', 'size'] as const
const SORTING = ['sort', 'order'] as const
const NUMBERS = ['page', 'size']

/**
 * What an address says of the list: the parameters that it declares and no others. Whole numbers become numbers; what is none
 * stays as it is written, for the server to refuse.
 */
export function readParams<L extends List>(
  list: L,
  address: Readonly<Record<string, string | undefined>>,
): ListParams<L> {
  const filters = Object.entries(list.filters ?? {})
  const ofKind = (...kinds: Filter['kind'][]) =>
    filters.filter(([, { kind }]) => kinds.includes(kind)).map(([key]) => key)
  const numbers = [...NUMBERS, ...ofKind('id', 'number')]
  const flags = ofKind('flag')
  const names = [
    ...PLACE,
    ...(list.sorts ? SORTING : []),
    ...(list.search === undefined ? [] : ['search']),
    ...filters.flatMap(([key, filter]) => paramsOf(key, filter)),
  ]
  const read = names.flatMap((name): [string, unknown][] => {
    const text = address[name]
    if (text === undefined || text === '') return []
    if (flags.includes(name)) return [[name, text === 'true']]
    return [[name, numbers.includes(name) && /^-?\d{1,15}$/.test(text) ? Number(text) : text]]
  })
  return Object.fromEntries(read) as ListParams<L>
}

/** Whether the filter has a control for this person. */
export function isOffered(filter: Filter, isVendorStaff: boolean): boolean {
  return !(filter.kind === 'text' && filter.linked) && (isVendorStaff || filter.for !== 'staff')
}

/** What a chip says of a filter that is set, without the names of ids; null where it is not. */
export function filterText(
  key: string,
  filter: Filter,
  params: Readonly<Record<string, unknown>>,
): string | null {
  const [first, second] = paramsOf(key, filter).map(name => params[name])
  if (first === undefined && second === undefined) return null
  const text = String(first)
  switch (filter.kind) {
    case 'word':
      return text === filter.initial ? null : (filter.words[text] ?? text)
    case 'number':
      return filter.choices.find(([value]) => value === first)?.[1] ?? text
    case 'flag':
      return filter.words[first ? 'true' : 'false'] ?? text
    case 'days':
      return rangeText(first, second)
    default:
      return text
  }
}

/** All that is searched and filtered for, in words; ids as they stand. */
export function conditionsText(
  { filters = {} }: Pick<List, 'filters'>,
  params: Readonly<Record<string, unknown>>,
): string {
  const filtered = Object.entries(filters).flatMap(([key, filter]) => {
    const text = filterText(key, filter, params)
    return text === null ? [] : [{ label: filter.chip ?? filter.label, text }]
  })
  return joinedConditions(params.search, filtered)
}

/** What is searched for and each condition, as one line. */
export function joinedConditions(
  search: unknown,
  conditions: readonly { label: string; text: string }[],
): string {
  const searched = search ? [{ label: '搜索', text: String(search) }] : []
  return [...searched, ...conditions].map(({ label, text }) => `${label}：${text}`).join('；') || '全部'
}

function rangeText(first: unknown, last: unknown): string {
  if (first && last) return `${first} 至 ${last}`
  return first ? `${first} 起` : `${last} 止`
}
