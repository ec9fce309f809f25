import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { arrangedColumns, settingsOf } from '#kit/declare/columns.ts'
import { roving } from '#web/keys/roving.ts'
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
import type {
  ArrangedColumns,
  ListAnswer,
  ListColumn,
  ListProps,
  ListState,
  RowAction,
} from './list-props.ts'
import { useListServices } from './list-services.ts'
import { type ListParams, rememberSize, type SetParams, sizeOf, useListParams } from './useListParams.ts'
import { useListSelection } from './useListSelection.ts'

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
  const answered = answer?.rows ?? []
  const rows = props.shownOf?.(answered) ?? answered
  const first = (list.page - 1) * list.size + 1
  const chosen = useListSelection(rows, props.rowKey, props.selectable, list.turning)
  const selection = props.bulk && chosen
  // Once: what an empty list offers stands where its rows would be.
  const isOffered =
    answer !== undefined &&
    rows.length === 0 &&
    list.page === 1 &&
    !list.filtered &&
    props.main === props.emptyAction
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
        {props.main && !isOffered && (
          <div {...roving} className={styles.listMain}>
            {props.main}
          </div>
        )}
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
          fullPage={answered.length === list.size}
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
    turning: query.isPlaceholderData,
    filtered: filterKeys.length > 0,
    reload: useCallback(() => void query.refetch(), [query.refetch]),
    clear: () => setParams(noneOf(filterKeys)),
    reset: () => setParams(noneOf(Object.keys(params))),
    prefetch: near =>
      void queries.prefetchQuery({ ...queryOf({ ...params, page: near, size }), staleTime: 10_000 }),
  }
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
