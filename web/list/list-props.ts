// What a list is given and what its parts share.

import type { ReactNode } from 'react'
import type { ColumnSetting } from '#kit/declare/columns.ts'
import type { List } from '#kit/declare/list.ts'
import type { ListParams, SetParams } from './useListParams.ts'
import type { RowKey } from './useRowKeys.ts'

export type ListColumn<Row> = {
  key: string
  title: string
  /** Pixels; 120 when absent. */
  width?: number
  align?: 'right'
  fixed?: 'start' | 'end'
  /** The column's key is the API's sort name. */
  sortable?: boolean
  /** What a double click copies (复制成功). */
  copy?: (row: Row) => string
  /** The cell's content opens the row; one column of a list. */
  opens?: boolean
  /** `place` is the row's in the whole list, from 1. */
  render: (row: Row, place: number) => ReactNode
  /** The second line. */
  below?: (row: Row, place: number) => ReactNode
  /** A word that says how things stand; beside the title on a phone. */
  isState?: boolean
  /** Nothing stands in it: not shown on a card, where it would take a line to say so. */
  isEmpty?: (row: Row) => boolean
  /** two: day over time, or a line below; wrapped: a text that takes a second line where it needs one. */
  lines?: 'two' | 'wrapped'
  /** Shown once a person chooses it. */
  hidden?: boolean
  /** How it shows as a card on a phone; 'hidden' when absent. */
  card?: 'title' | 'fact' | 'whole' | 'amount' | 'line' | 'hidden'
  /** What a number counts; said where no head does. */
  unit?: string
}

export type RowAction = {
  key: string
  label: string
  onClick?: () => void
  /** A link in place of a button: what the browser itself does with it, as calling a number. */
  href?: string
  /** The rule's own message when the action would be refused. */
  disabled?: string | null
  danger?: boolean
  /** It shows something and changes nothing. */
  reads?: boolean
  /** On a phone it is a button of its own, with this. */
  icon?: ReactNode
}

export type ActiveFilter = {
  key: string
  label: string
  text: string
  /** What it stands for in the address; the parameter named `key` when absent. */
  params?: readonly string[] | undefined
  /** In place of taking these out. */
  onRemove?: () => void
}

export type ListAnswer<Row> = { rows: Row[]; total: number; totalCapped: boolean }

export type ListProps<Row, Params extends ListParams, Answer extends ListAnswer<Row>> = {
  title: string
  /** A stable name such as 'merchants.list', under which columns and views are kept. */
  listKey: string
  /** The page's one main action; in the bottom bar on a phone. */
  main?: ReactNode
  queryKey: readonly unknown[]
  fetchPage: (params: Params & { page: number; size: number }) => Promise<Answer>
  /** The page that was asked for before the code had arrived, if it is this one. */
  earlyPage?: (params: Params & { page: number; size: number }) => Answer | undefined
  rowKey: (row: Row) => string | number
  /** Which of the page's rows are shown, and in which order; all of them when absent. */
  shownOf?: (rows: readonly Row[]) => Row[]
  columns: readonly ListColumn<Row>[]
  /** Without it the list has no search box. */
  searchPlaceholder?: string
  /** Shown when 高级筛选 is unfolded; loaded then, when it is lazy. Reads and sets `useListParams`. */
  filters?: ReactNode
  activeFilters?: readonly ActiveFilter[]
  /** What the list is; without it every parameter of the address is the list's but `ownParams`. */
  declared?: List
  /** Parameters of the address that are the page's own: not sent, and not part of the list. */
  ownParams?: readonly string[]
  /** Totals under the title. */
  summary?: (answer: Answer) => ReactNode
  /** Address of the file; the keys of the shown columns are added as `columns` where it has none. */
  exportHref?: (params: Params, shown: readonly ListColumn<Row>[]) => string
  exportPermission?: string
  emptyText?: string
  emptyAction?: ReactNode
  onOpen?: (row: Row) => void
  rowActions?: (row: Row) => RowAction[]
  /** Pixels of the action column. */
  actionsWidth?: number
  /** The row that is open beside the list. */
  openKey?: string | number | null
  /** What can be done with chosen rows; with it rows can be chosen, across pages and searches. */
  bulk?: (rows: readonly Row[], clear: () => void) => ReactNode
  /** Why a row cannot be chosen; null when it can. */
  selectable?: (row: Row) => string | null
  rowKeys?: readonly RowKey<Row>[]
}

export type ListState<Params extends ListParams, Answer> = {
  params: Params
  setParams: SetParams<Params>
  page: number
  size: number
  answer: Answer | undefined
  error: unknown
  reloading: boolean
  /** The rows on the screen are those of what was asked before. */
  turning: boolean
  filtered: boolean
  reload: () => void
  clear: () => void
  /** Takes out all that the address says of the list. */
  reset: () => void
  prefetch: (page: number) => void
}

export type ArrangedColumns<Row> = {
  shown: readonly ListColumn<Row>[]
  /** A width was chosen: the last column takes what is left, so that the others keep theirs. */
  hasWidths: boolean
  settings: readonly ColumnSetting[]
  save: (settings: readonly ColumnSetting[]) => void
  /** Undefined takes a chosen width out. */
  setWidths: (widths: ReadonlyMap<string, number | undefined>) => void
}
