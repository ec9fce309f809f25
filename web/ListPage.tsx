import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useCallback, useState } from 'react'
import { Button } from './Button.tsx'
import { IconFilter } from './icons.tsx'
import { ListCards } from './ListCards.tsx'
import { ListPager } from './ListPager.tsx'
import { ListSearch } from './ListSearch.tsx'
import { EmptyList, FailedList, LoadingList } from './ListStates.tsx'
import { ListTable } from './ListTable.tsx'
import { ListToolbar, useDensity } from './ListToolbar.tsx'
import { allows, useSession } from './session.ts'
import { DEFAULT_SIZE, type ListParams, useListParams } from './useListParams.ts'
import { usePhone } from './usePhone.ts'
import './ListPage.css'

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
  render: (row: Row) => ReactNode
  /** How it shows as a card on a phone; 'hidden' when absent. */
  card?: 'title' | 'fact' | 'hidden'
}

export type RowAction = {
  key: string
  label: string
  onClick: () => void
  /** The rule's own message when the action would be refused. */
  disabled?: string | null
  danger?: boolean
}

export type ActiveFilter = {
  key: string
  label: string
  text: string
  /** Absent: the parameter named `key` is taken out. */
  onRemove?: () => void
}

export type ListAnswer<Row> = { rows: Row[]; total: number; totalCapped: boolean }

export type ListProps<Row, Params extends ListParams, Answer extends ListAnswer<Row>> = {
  title: string
  /** The page's one main action; in the bottom bar on a phone. */
  main?: ReactNode
  queryKey: readonly unknown[]
  fetchPage: (params: Params & { page: number; size: number }) => Promise<Answer>
  rowKey: (row: Row) => string | number
  columns: readonly ListColumn<Row>[]
  /** Without it the list has no search box. */
  searchPlaceholder?: string
  /** Shown when 高级筛选 is unfolded; loaded then, when it is lazy. Reads and sets `useListParams`. */
  filters?: ReactNode
  activeFilters?: readonly ActiveFilter[]
  /** Parameters of the address that are the page's own: not sent, and not part of the list. */
  ownParams?: readonly string[]
  /** Totals under the title. */
  summary?: (answer: Answer) => ReactNode
  exportHref?: (params: Params) => string
  exportPermission?: string
  emptyText?: string
  emptyAction?: ReactNode
  onOpen?: (row: Row) => void
  rowActions?: (row: Row) => RowAction[]
  /** Pixels of the action column. */
  actionsWidth?: number
  /** The row that is open beside the list. */
  openKey?: string | number | null
}

/** The one list of the product: search, filters, sort and page in the address, old rows kept while new ones load. */
export function ListPage<
  Row,
  Params extends ListParams = ListParams,
  Answer extends ListAnswer<Row> = ListAnswer<Row>,
>(props: ListProps<Row, Params, Answer>) {
  const list = useList(props)
  const phone = usePhone()
  const [density, toggleDensity] = useDensity()
  const [full, setFull] = useState(false)
  const { answer } = list
  const rows = answer?.rows ?? []
  return (
    <section
      className="list"
      data-full={full || undefined}
      aria-labelledby="list-title"
      onKeyDown={event => {
        if (event.key === 'Escape' && full && !event.defaultPrevented) setFull(false)
      }}
    >
      <header className="list-head">
        <h1 id="list-title">{props.title}</h1>
        {props.main && <div className="list-main">{props.main}</div>}
      </header>
      <ListControls
        props={props}
        list={list}
        density={density}
        onDensity={toggleDensity}
        full={full}
        onFull={() => setFull(!full)}
      />
      {props.summary && (
        <div className="list-summary">{answer ? props.summary(answer) : <span>&nbsp;</span>}</div>
      )}
      <div className="list-body" aria-busy={list.reloading} data-density={density}>
        {list.reloading && <div className="list-progress" aria-hidden="true" />}
        {list.error ? (
          <FailedList
            error={list.error}
            filtered={list.filtered}
            onRetry={list.reload}
            onClear={list.clear}
          />
        ) : !answer ? (
          <LoadingList columns={props.columns} phone={phone} />
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
          <ListCards rows={rows} {...props} />
        ) : (
          <ListTable rows={rows} {...props} params={list.params} setParams={list.setParams} />
        )}
      </div>
      {answer && (answer.total > 0 || list.page > 1) && (
        <ListPager
          page={list.page}
          size={list.size}
          total={answer.total}
          totalCapped={answer.totalCapped}
          fullPage={rows.length === list.size}
          onPage={page => list.setParams({ page } as Partial<Params>)}
          onSize={size => list.setParams({ size } as Partial<Params>)}
          onNear={list.prefetch}
        />
      )}
    </section>
  )
}

export type ListState<Params extends ListParams, Answer> = {
  params: Params
  setParams: ReturnType<typeof useListParams<Params>>[1]
  page: number
  size: number
  answer: Answer | undefined
  error: unknown
  reloading: boolean
  filtered: boolean
  reload: () => void
  clear: () => void
  prefetch: (page: number) => void
}

function useList<Row, Params extends ListParams, Answer extends ListAnswer<Row>>(
  props: ListProps<Row, Params, Answer>,
): ListState<Params, Answer> {
  const [all, setParams] = useListParams<Params>()
  const params = without(all, props.ownParams ?? [])
  const page = params.page ?? 1
  const size = params.size ?? DEFAULT_SIZE
  const queries = useQueryClient()
  const queryOf = (asked: Params & { page: number; size: number }) => ({
    queryKey: [...props.queryKey, asked],
    queryFn: () => props.fetchPage(asked),
  })
  const query = useQuery({ ...queryOf({ ...params, page, size }), placeholderData: keepPreviousData })
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
    clear: () => setParams(Object.fromEntries(filterKeys.map(key => [key, undefined])) as Partial<Params>),
    prefetch: near =>
      void queries.prefetchQuery({ ...queryOf({ ...params, page: near, size }), staleTime: 10_000 }),
  }
}

function without<Params extends object>(params: Params, keys: readonly string[]): Params {
  return Object.fromEntries(Object.entries(params).filter(([key]) => !keys.includes(key))) as Params
}

type ControlsProps<Row, Params extends ListParams, Answer extends ListAnswer<Row>> = {
  props: ListProps<Row, Params, Answer>
  list: ListState<Params, Answer>
  density: string
  onDensity: () => void
  full: boolean
  onFull: () => void
}

/** Search, the folded filters, what is filtered as chips, and the tools: one row that folds. */
function ListControls<Row, Params extends ListParams, Answer extends ListAnswer<Row>>({
  props,
  list,
  ...tools
}: ControlsProps<Row, Params, Answer>) {
  const session = useSession()
  const [open, setOpen] = useState(false)
  const chips = props.activeFilters ?? []
  const mayExport = props.exportHref && allows(session, props.exportPermission ?? 'session')
  return (
    <>
      <div className="list-controls">
        {props.searchPlaceholder !== undefined && (
          <ListSearch
            placeholder={props.searchPlaceholder}
            value={list.params.search ?? ''}
            onChange={search => list.setParams({ search } as Partial<Params>, { replace: true })}
          />
        )}
        {props.filters && (
          <Button
            icon={<IconFilter />}
            aria-expanded={open}
            aria-controls="list-filters"
            className="list-filter-toggle"
            onClick={() => setOpen(!open)}
          >
            高级筛选{chips.length > 0 && <span className="list-filter-count">{chips.length}</span>}
          </Button>
        )}
        <ListToolbar
          {...tools}
          reloading={list.reloading}
          onReload={list.reload}
          exportHref={mayExport ? props.exportHref?.(list.params) : undefined}
        />
      </div>
      {chips.length > 0 && (
        <ul className="list-chips" aria-label="已选条件">
          {chips.map(chip => (
            <li key={chip.key}>
              <span>
                {chip.label}：{chip.text}
              </span>
              <button
                type="button"
                aria-label={`移除条件 ${chip.label}`}
                onClick={
                  chip.onRemove ?? (() => list.setParams({ [chip.key]: undefined } as Partial<Params>))
                }
              >
                ×
              </button>
            </li>
          ))}
          <li className="list-chips-clear">
            <Button kind="link" onClick={list.clear}>
              清除全部
            </Button>
          </li>
        </ul>
      )}
      {props.filters && (
        <div id="list-filters" className="list-filters" hidden={!open}>
          {open && <Suspense fallback={<div className="list-filters-wait" />}>{props.filters}</Suspense>}
        </div>
      )}
    </>
  )
}
