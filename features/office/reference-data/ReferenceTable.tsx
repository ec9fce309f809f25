import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import { isOffered, type RowValues, valueText } from '#kit/declare/reference.ts'
import { formatInstant } from '#kit/time.ts'
import { messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { RowMenu } from '#web/list/RowMenu.tsx'
import type { ShownRow, ShownTable } from './contract.ts'
import styles from './reference.module.css'
import { referenceApi } from './referenceApi.tsx'
import { nameOf } from './rules.ts'

const RowDialog = lazy(() => import('./RowDialog.tsx'))
const ImportDialog = lazy(() => import('./ImportDialog.tsx'))
const EndDialog = lazy(() => import('./EndDialog.tsx'))
const OrderDialog = lazy(() => import('#web/form/OrderDialog.tsx'))

type Open =
  | { what: 'edit'; row: ShownRow | null }
  | { what: 'retire' | 'remove'; row: ShownRow }
  | { what: 'order' | 'import' }

/** The rows of a table, in their order, and what can be done with them. */
export function ReferenceTable({ table }: { table: ShownTable }) {
  const list = useQuery(referenceApi.rows.query({ table: table.key }))
  const [open, setOpen] = useState<Open | null>(null)
  const history = useHistory()
  const close = () => setOpen(null)
  if (list.isError) return <LoadFailure error={list.error} onRetry={() => void list.refetch()} />
  const rows = list.data?.rows ?? []
  return (
    <section className={styles.table} aria-label={table.title}>
      <header>
        <p className={look.quiet}>{table.about}</p>
        <span className={styles.tools}>
          {history
            .actionsOf({ kind: 'reference', id: table.key, name: table.title })
            .map(({ key, label, onClick }) => (
              <Button key={key} changes={false} onClick={onClick}>
                {label}
              </Button>
            ))}
          {table.orders && <Button onClick={() => setOpen({ what: 'order' })}>调整顺序</Button>}
          {table.imports && <Button onClick={() => setOpen({ what: 'import' })}>导入</Button>}
          {table.adds && (
            <Button kind="primary" onClick={() => setOpen({ what: 'edit', row: null })}>
              {`新增${table.title}`}
            </Button>
          )}
        </span>
      </header>
      {list.data ? (
        <ul className={styles.rows}>
          {rows.map(row => (
            <Line
              key={row.id}
              table={table}
              row={row}
              onOpen={setOpen}
              more={history.actionsOf({
                kind: 'reference',
                id: `${table.key}:${row.id}`,
                name: nameOf(table, row),
              })}
            />
          ))}
        </ul>
      ) : (
        <LoadingLines />
      )}
      {history.drawer}
      <Suspense>
        {open?.what === 'edit' && <RowDialog table={table} row={open.row} onClose={close} />}
        {(open?.what === 'retire' || open?.what === 'remove') && (
          <EndDialog table={table} row={open.row} what={open.what} onClose={close} />
        )}
        {open?.what === 'import' && <ImportDialog table={table} onClose={close} />}
        {open?.what === 'order' && (
          <OrderDialog
            title={`调整${table.title}顺序`}
            rows={rows.map(row => ({
              id: row.id,
              title: nameOf(table, row),
              note: row.retiredAt ? '已停用' : undefined,
            }))}
            onSave={ids => referenceApi.reorder({ table: table.key, ids: ids.map(String) })}
            onClose={close}
          />
        )}
      </Suspense>
    </section>
  )
}

type LineProps = {
  table: ShownTable
  row: ShownRow
  onOpen: (open: Open) => void
  more: ReturnType<ReturnType<typeof useHistory>['actionsOf']>
}

function Line({ table, row, onOpen, more }: LineProps) {
  const restore = async () => {
    try {
      await referenceApi.restore({ table: table.key, id: row.id })
      toast.success('已恢复')
      await reread()
    } catch (error) {
      toast.error(messageOf(error))
    }
  }
  const name = nameOf(table, row)
  const actions = [
    { key: 'edit', label: '编辑', onClick: () => onOpen({ what: 'edit', row }) },
    ...(table.retires
      ? row.retiredAt === null
        ? [{ key: 'retire', label: '停用', onClick: () => onOpen({ what: 'retire', row }) }]
        : [{ key: 'restore', label: '恢复', onClick: () => void restore() }]
      : []),
    ...(table.adds
      ? [{ key: 'remove', label: '删除', danger: true, onClick: () => onOpen({ what: 'remove', row }) }]
      : []),
    ...more,
  ]
  return (
    <li>
      <span className={styles.what}>
        <strong>{name}</strong>
        <span className={`${look.quiet} ${styles.facts}`}>{factsOf(table, row.values as RowValues)}</span>
      </span>
      <State row={row} />
      <Button kind="link" aria-label={`编辑 ${name}`} onClick={() => onOpen({ what: 'edit', row })}>
        编辑
      </Button>
      <RowMenu actions={actions.slice(1)} />
    </li>
  )
}

/** What else the row says, each with what it is called. */
function factsOf(table: ShownTable, values: RowValues): string {
  return Object.entries(table.fields)
    .flatMap(([key, field]) => {
      if (key === table.named) return []
      const text = valueText(field as never, values[key])
      return text === '' ? [] : [`${field.label}：${text}`]
    })
    .join('　')
}

function State({ row: { retiredAt } }: { row: ShownRow }) {
  if (retiredAt === null) return null
  const text = formatInstant(retiredAt)
  return isOffered(retiredAt, Date.now()) ? (
    <StatusTag tone="attention" tip={`${text} 停用`}>
      将停用
    </StatusTag>
  ) : (
    <StatusTag tone="neutral" tip={`${text} 停用`}>
      已停用
    </StatusTag>
  )
}
