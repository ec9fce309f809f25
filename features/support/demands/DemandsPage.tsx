import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { formatCount } from '#kit/money.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { usePermission } from '#web/client/session.ts'
import { Button, buttonLook } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { roving } from '#web/keys/roving.ts'
import { List } from '#web/list/List.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import styles from './demands.module.css'
import {
  BOARD_PATH,
  type DemandRow,
  demandsApi,
  formSearch,
  OWNER_OPTIONS,
  useRemoval,
} from './demandsApi.tsx'
import { DEMANDS } from './fields.ts'
import { DEMAND_LIMITS, FORM_PATH, STATUSES, WEIGHT_WORDS } from './rules.ts'

const BulkDialog = lazy(() => import('./BulkDialog.tsx'))
const LogDrawer = lazy(() => import('./LogDrawer.tsx'))

type Bulk = { rows: readonly DemandRow[]; clear: () => void }

/** What shops want of the software (D3 §2). */
export default function DemandsPage() {
  const navigate = useNavigate()
  const mayEdit = usePermission('demands.edit')
  const mayRemove = usePermission('demands.remove')
  const [logged, setLogged] = useState<DemandRow | null>(null)
  const [bulk, setBulk] = useState<Bulk | null>(null)
  const removal = useRemoval()
  const open = (row: DemandRow) => void navigate({ to: FORM_PATH, search: formSearch(row.id) })
  return (
    <>
      <List
        of={DEMANDS}
        from={demandsApi.list}
        options={{ ownerId: OWNER_OPTIONS }}
        cells={CELLS}
        main={<Main mayEdit={mayEdit} />}
        summary={() => <Progress />}
        onOpen={open}
        rowActions={row => [
          { key: 'view', label: '查看', reads: true, onClick: () => open(row) },
          { key: 'log', label: '日志', reads: true, onClick: () => setLogged(row) },
          ...(!mayRemove
            ? []
            : row.deletedAt === null
              ? [{ key: 'remove', label: '删除', danger: true, onClick: () => removal.remove(row) }]
              : [{ key: 'restore', label: '恢复', onClick: () => removal.restore(row) }]),
        ]}
        actionsWidth={144}
        selectable={row => (row.deletedAt === null ? null : '需求已删除，请先恢复')}
        bulk={
          mayEdit
            ? (rows, clear) => (
                <Button
                  changes
                  disabled={rows.length > DEMAND_LIMITS.rows ? `一次最多修改 ${DEMAND_LIMITS.rows} 个` : null}
                  onClick={() => setBulk({ rows, clear })}
                >
                  批量修改
                </Button>
              )
            : undefined
        }
      />
      <Suspense>
        {logged && <LogDrawer id={logged.id} title={logged.title} onClose={() => setLogged(null)} />}
        {bulk && <BulkDialog rows={bulk.rows} onDone={bulk.clear} onClose={() => setBulk(null)} />}
      </Suspense>
    </>
  )
}

function Main({ mayEdit }: { mayEdit: boolean }) {
  const [params] = useListParams(DEMANDS)
  const { page: _page, size: _size, sort: _sort, order: _order, deleted: _deleted, ...filters } = params
  return (
    <div className={styles.main}>
      <Link className={buttonLook()} to={BOARD_PATH} search={filters}>
        看板
      </Link>
      {mayEdit && (
        <Link className={buttonLook('primary')} to={FORM_PATH}>
          新增需求
        </Link>
      )}
    </div>
  )
}

/** How many stand in each status of what is filtered; each leads to them. */
function Progress() {
  const [params, setParams] = useListParams(DEMANDS)
  const { page: _page, size: _size, sort: _sort, order: _order, status, ...filters } = params
  const counts = useQuery({
    ...demandsApi.counts.query(filters),
    placeholderData: before => before,
  })
  const rows = counts.data?.rows ?? []
  const all = rows.reduce((sum, { count }) => sum + count, 0)
  const shown = [{ key: undefined, label: '全部', count: all }, ...rows.map(row => ({ ...labelled(row) }))]
  return (
    <nav {...roving} className={styles.progress} aria-label="按进度筛选">
      {shown.map(({ key, label, count }) => (
        <button
          key={label}
          type="button"
          className={styles.progressOne}
          aria-pressed={status === key}
          onClick={() => setParams({ status: key })}
        >
          {label} <b>{counts.data ? formatCount(count) : '—'}</b>
        </button>
      ))}
    </nav>
  )
}

const labelled = ({ status, count }: { status: keyof typeof STATUSES; count: number }) => ({
  key: status,
  label: STATUSES[status],
  count,
})

const CELLS = {
  id: (row: DemandRow) => <span>#{row.id}</span>,
  weight: {
    copy: (row: DemandRow) => String(row.weight),
    render: (row: DemandRow) => <span data-tip={WEIGHT_WORDS}>{formatCount(row.weight)}</span>,
  },
  shops: (row: DemandRow) => <span>{formatCount(row.shops)} 家</span>,
}
