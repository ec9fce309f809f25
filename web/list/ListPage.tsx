import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { arrangedColumns, type ColumnSetting, settingsOf } from '#kit/declare/columns.ts'
import type { List } from '#kit/declare/list.ts'
import { useReadOnly } from '../shell/OwnAffairs.tsx'
import { usePhone } from '../theme/usePhone.ts'
import { ListCards } from './ListCards.tsx'
import { ListControls } from './ListControls.tsx'
import styles from './ListPage.module.css'
import { ListPager } from './ListPager.tsx'
import { SelectionBar } from './ListSelection.tsx'
import { EmptyList, FailedList, LoadingList } from './ListStates.tsx'
import { ListTable } from './ListTable.tsx'
import { useDensity } from './ListToolbar.tsx'
import { useListServices } from './list-services.ts'
import { type ListParams, rememberSize, type SetParams, sizeOf, useListParams } from './useListParams.ts'
import { useListSelection } from './useListSelection.ts'
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
  card?: 'title' | 'fact' | 'whole' | 'amount' | 'hidden'
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

/** Who looks through another's account, or is of a suspended agency, may read alone. */
function useAllowedActions<Row>(rowActions: ((row: Row) => RowAction[]) | undefined) {
  const readOnly = useReadOnly()
  if (!rowActions || readOnly === null) return rowActions
  return (row: Row) =>
    rowActions(row).map(action =>
      action.reads || action.href !== undefined ? action : { ...action, disabled: readOnly },
    )
}

/** The one list of the product: search, filters, sort and page in the address, old rows kept while new ones load. */
export function ListPage<
  Row,
  Params extends ListParams = ListParams,
  Answer extends ListAnswer<Row> = ListAnswer<Row>,
>({ rowActions, ...given }: ListProps<Row, Params, Answer>) {
  const props = { ...given, rowActions: useAllowedActions(rowActions) }
  const list = useList(props)
  const phone = usePhone()
  const [density, toggleDensity] = useDensity()
  const [full, setFull] = useState(false)
  const columns = useArranged(props)
  const { answer } = list
  const rows = answer?.rows ?? []
  const first = (list.page - 1) * list.size + 1
  const chosen = useListSelection(rows, props.rowKey, props.selectable)
  const selection = props.bulk && chosen
  return (
    <section
      data-part="list"
      className={styles.list}
      data-full={full || undefined}
      aria-labelledby="list-title"
      onKeyDown={event => {
        if (event.key === 'Escape' && full && !event.defaultPrevented) setFull(false)
      }}
    >
      <header className={styles.listHead}>
        <h1 id="list-title">{props.title}</h1>
        {props.main && <div className={styles.listMain}>{props.main}</div>}
      </header>
      <ListControls
        props={props}
        list={list}
        columns={columns}
        density={density}
        onDensity={toggleDensity}
        full={full}
        onFull={() => setFull(!full)}
      />
      {props.summary && (
        <div className={styles.listSummary}>{answer ? props.summary(answer) : <span>&nbsp;</span>}</div>
      )}
      <div className={styles.listBody} aria-busy={list.reloading} data-density={density}>
        {list.reloading && <div className={styles.listProgress} aria-hidden="true" />}
        {list.error ? (
          <FailedList error={list.error} onRetry={list.reload} onClear={list.reset} />
        ) : !answer ? (
          <LoadingList columns={columns.shown} phone={phone} />
        ) : rows.length === 0 ? (
          <EmptyList
            text={props.emptyText}
            action={props.emptyAction}
            page={list.page}
            filtered={list.filtered}
            onFirstPage={() => list.setParams({ page: 1 } as Partial<Params>)}
            onClear={list.clear}
          />
        ) : phone ? (
          <ListCards rows={rows} first={first} {...props} selection={selection} />
        ) : (
          <ListTable
            rows={rows}
            first={first}
            {...props}
            columns={columns.shown}
            isArranged={columns.hasWidths}
            onWidths={columns.setWidths}
            params={list.params}
            setParams={list.setParams}
            selection={selection}
          />
        )}
      </div>
      {props.bulk && <SelectionBar selection={chosen} bulk={props.bulk} />}
      {answer && (answer.total > 0 || list.page > 1) && (
        <ListPager
          page={list.page}
          size={list.size}
          total={answer.total}
          totalCapped={answer.totalCapped}
          fullPage={rows.length === list.size}
          onPage={page => list.setParams({ page, size: list.size } as Partial<Params>)}
          onSize={size => {
            rememberSize(size)
            list.setParams({ size } as Partial<Params>)
          }}
          onNear={list.prefetch}
        />
      )}
    </section>
  )
}

export type ListState<Params extends ListParams, Answer> = {
  params: Params
  setParams: SetParams<Params>
  page: number
  size: number
  answer: Answer | undefined
  error: unknown
  reloading: boolean
  filtered: boolean
  reload: () => void
  clear: () => void
  /** Takes out all that the address says of the list. */
  reset: () => void
  prefetch: (page: number) => void
}

function useList<Row, Params extends ListParams, Answer extends ListAnswer<Row>>(
  props: ListProps<Row, Params, Answer>,
): ListState<Params, Answer> {
  const [all, setParams] = useListParams(props.declared as never) as unknown as [Params, SetParams<Params>]
  const params = without(all, props.ownParams ?? [])
  const page = params.page ?? 1
  const size = sizeOf(params)
  const queries = useQueryClient()
  const queryOf = (asked: Params & { page: number; size: number }) => ({
    queryKey: [...props.queryKey, asked],
    queryFn: () => props.fetchPage(asked),
    initialData: () => props.earlyPage?.(asked),
  })
  const query = useQuery({ ...queryOf({ ...params, page, size }), placeholderData: keepPreviousData })
  const noneOf = (keys: readonly string[]) =>
    Object.fromEntries(keys.map(key => [key, undefined])) as Partial<Params>
  const filterKeys = Object.keys(params).filter(key => !['page', 'size', 'sort', 'order'].includes(key))
  return {
    params,
    setParams,
    page,
    size,
    answer: query.data,
    // Rows that are there stay when a reload fails; the notice says so.
    error: query.data === undefined ? query.error : null,
    reloading: query.isFetching && query.data !== undefined,
    filtered: filterKeys.length > 0,
    reload: useCallback(() => void query.refetch(), [query.refetch]),
    clear: () => setParams(noneOf(filterKeys)),
    reset: () => setParams(noneOf(Object.keys(params))),
    prefetch: near =>
      void queries.prefetchQuery({ ...queryOf({ ...params, page: near, size }), staleTime: 10_000 }),
  }
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

function useArranged<Row>({
  listKey,
  columns,
}: {
  listKey: string
  columns: readonly ListColumn<Row>[]
}): ArrangedColumns<Row> {
  const { settings, save } = useListServices().useColumns(listKey)
  const shown = useMemo(() => arrangedColumns(columns, settings), [columns, settings])
  return {
    shown,
    hasWidths: settings.some(({ width }) => width !== undefined),
    settings,
    save,
    setWidths: widths =>
      save(
        settingsOf(columns, settings).map(setting =>
          widths.has(setting.key) ? { ...setting, width: widths.get(setting.key) } : setting,
        ),
      ),
  }
}

function without<Params extends object>(params: Params, keys: readonly string[]): Params {
  return Object.fromEntries(Object.entries(params).filter(([key]) => !keys.includes(key))) as Params
}
