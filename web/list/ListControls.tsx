import { useState } from 'react'
import { joinedConditions } from '#kit/declare/list.ts'
import { allows, useSession } from '../client/session.ts'
import { Button } from '../controls/Button.tsx'
import { IconFilter } from '../controls/icons.tsx'
import { Suspense } from '../controls/Suspense.tsx'
import { Dialog } from '../form/Dialog.tsx'
import { roving } from '../keys/roving.ts'
import { usePhone } from '../theme/usePhone.ts'
import styles from './ListControls.module.css'
import { ListExport } from './ListExport.tsx'
import { ListSearch } from './ListSearch.tsx'
import { ListToolbar } from './ListToolbar.tsx'
import { ListViewsMenu } from './ListViewsMenu.tsx'
import type { ActiveFilter, ArrangedColumns, ListAnswer, ListProps, ListState } from './list-props.ts'
import { PrintSheet } from './PrintSheet.tsx'
import type { ListParams } from './useListParams.ts'
import { usePrint } from './usePrint.tsx'

type ControlsProps<Row, Params extends ListParams, Answer extends ListAnswer<Row>> = {
  props: ListProps<Row, Params, Answer>
  list: ListState<Params, Answer>
  columns: ArrangedColumns<Row>
  density: string
  onDensity: () => void
  full: boolean
  onFull: () => void
}

/** Search, the folded filters, views, what is filtered as chips, and the tools: one row that folds. */
export function ListControls<Row, Params extends ListParams, Answer extends ListAnswer<Row>>({
  props,
  list,
  columns,
  ...tools
}: ControlsProps<Row, Params, Answer>) {
  const session = useSession()
  const phone = usePhone()
  const [open, setOpen] = useState(false)
  const chips = props.activeFilters ?? []
  // A list without search, filters and sorting has one look only.
  const isWorthNaming =
    props.searchPlaceholder !== undefined ||
    props.filters !== undefined ||
    props.columns.some(({ sortable }) => sortable)
  const filters = <Suspense fallback={<div className={styles.listFiltersWait} />}>{props.filters}</Suspense>
  const conditions = joinedConditions(list.params.search, chips)
  const print = usePrint<Row, Answer>({
    ask: (page, size) => props.fetchPage({ ...list.params, page, size }),
    conditions,
    totals: props.summary,
    isShown: list.answer !== undefined,
  })
  const mayExport = props.exportHref && allows(session, props.exportPermission ?? 'session')
  return (
    <>
      <div className={styles.listControls}>
        {props.searchPlaceholder !== undefined && (
          <ListSearch
            placeholder={props.searchPlaceholder}
            value={list.params.search ?? ''}
            onChange={search => list.setParams({ search } as Partial<Params>, { replace: true })}
          />
        )}
        <div {...roving} className={styles.listControlsTools} role="toolbar" aria-label="列表工具">
          {props.filters && (
            <Button
              icon={<IconFilter />}
              aria-expanded={open}
              aria-controls="list-filters"
              onClick={() => setOpen(!open)}
            >
              高级筛选{chips.length > 0 && <span className={styles.listFilterCount}>{chips.length}</span>}
            </Button>
          )}
          {isWorthNaming && <ListViewsMenu listKey={props.listKey} list={list} columns={columns} />}
          <ListToolbar
            {...tools}
            reloading={list.reloading}
            onReload={list.reload}
            onPrint={print.start}
            printing={print.busy}
            columns={props.columns}
            settings={columns.settings}
            onColumns={columns.save}
          >
            {mayExport && props.exportHref && (
              <ListExport
                href={withColumns(props.exportHref(list.params, columns.shown), columns.shown)}
                total={list.answer && !list.answer.totalCapped ? list.answer.total : null}
                conditions={conditions}
              />
            )}
          </ListToolbar>
        </div>
      </div>
      <Chips chips={chips} list={list} />
      {print.printed && (
        <PrintSheet
          title={props.title}
          columns={columns.shown}
          rowKey={props.rowKey}
          printed={print.printed}
        />
      )}
      {props.filters && (
        <div id="list-filters" className={styles.listFilters} hidden={!open || phone}>
          {open && !phone && filters}
        </div>
      )}
      {open && phone && (
        <Dialog
          title="高级筛选"
          dirty={false}
          onClose={() => setOpen(false)}
          footer={
            <>
              {chips.length > 0 && <Button onClick={list.clear}>清除全部</Button>}
              <Button kind="primary" changes={false} onClick={() => setOpen(false)}>
                查看结果{list.answer && `（${list.answer.total}${list.answer.totalCapped ? '+' : ''} 条）`}
              </Button>
            </>
          }
        >
          <div className={styles.listFiltersSheet} tabIndex={-1} data-autofocus>
            {filters}
          </div>
        </Dialog>
      )}
    </>
  )
}

function Chips<Params extends ListParams, Answer>({
  chips,
  list,
}: {
  chips: readonly ActiveFilter[]
  list: ListState<Params, Answer>
}) {
  if (chips.length === 0) return null
  return (
    <ul {...roving} className={styles.listChips} aria-label="已选条件">
      {chips.map(chip => (
        <li key={chip.key}>
          <span>
            {chip.label}：{chip.text}
          </span>
          <button
            type="button"
            aria-label={`移除条件 ${chip.label}`}
            onClick={chip.onRemove ?? (() => list.setParams(without<Params>(chip.params ?? [chip.key])))}
          >
            ×
          </button>
        </li>
      ))}
      <li className={styles.listChipsClear}>
        <Button kind="link" onClick={list.clear}>
          清除全部
        </Button>
      </li>
    </ul>
  )
}

function without<Params>(names: readonly string[]): Partial<Params> {
  return Object.fromEntries(names.map(name => [name, undefined])) as Partial<Params>
}

function withColumns(href: string, shown: readonly { key: string }[]): string {
  const address = new URL(href, location.origin)
  if (!address.searchParams.has('columns'))
    address.searchParams.set('columns', shown.map(({ key }) => key).join(','))
  return `${address.pathname}?${address.searchParams}`
}
