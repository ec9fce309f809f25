import { lazy, useId, useState } from 'react'
import { MOVE_REFUSALS } from '#features/agencies/partners/rules.ts'
import { AgentLink } from '#features/office/agents/AgentLink.tsx'
import { AGENT_STATUSES, AGENT_TONES } from '#features/office/agents/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCount } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { useMore } from '#web/facts/useMore.tsx'
import { Check } from '#web/form/Check.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import type { partnerDesk } from './contract.ts'
import styles from './partner-desk.module.css'
import { PARTNER_PAGE } from './rules.ts'

const deskApi = api<typeof partnerDesk>('partnerDesk')
const ParentDialog = lazy(() => import('#features/agencies/partners/ParentDialog.tsx'))

type Row = Out<typeof partnerDesk.tree>['rows'][number]

/** Who stands under whom, a level at a time. */
export default function TreePage() {
  const [onlyParents, setOnlyParents] = useState(true)
  const [moved, setMoved] = useState<Row | null>(null)
  return (
    <div className={`${look.page} ${styles.page}`}>
      <header className={styles.treeHead}>
        <h1 className={look.pageTitle}>代理商结构</h1>
        <Link className={styles.all} to={PARTNER_PAGE}>
          按列表查看
        </Link>
      </header>
      <p className={look.quiet}>
        合作伙伴最多三级。上级可以看到直接下级的余额、商户数和商户，并向其划拨代币；不能看到下级的下级。
      </p>
      <Check checked={onlyParents} onChange={setOnlyParents}>
        只看有下级的厂商直属
      </Check>
      <Level key={String(onlyParents)} below={onlyParents} onMove={setMoved} />
      {moved && (
        <Suspense>
          <ParentDialog agent={moved} onClose={() => setMoved(null)} />
        </Suspense>
      )}
    </div>
  )
}

type LevelProps = { parentId?: number; below?: boolean; onMove: (row: Row) => void }

function Level({ parentId, below = false, onMove }: LevelProps) {
  const { query, rows, more } = useMore(
    ['partnerDesk', 'tree', parentId ?? 0, below],
    after =>
      deskApi.tree({
        ...(parentId === undefined ? {} : { parentId }),
        ...(after === undefined ? {} : { after }),
        ...(below ? { below } : {}),
      }),
    '更多代理商',
  )
  if (query.isError && !rows) return <LoadFailure error={query.error} onRetry={() => void query.refetch()} />
  if (!rows) return <LoadingLines lines={parentId === undefined ? 8 : 2} />
  return (
    <>
      <ul className={styles.tree}>
        {rows.map(row => (
          <Branch key={row.id} row={row} onMove={onMove} />
        ))}
      </ul>
      {rows.length === 0 && <p className={look.quiet}>{below ? '还没有合作伙伴有下级' : '没有下级'}</p>}
      {more}
    </>
  )
}

function Branch({ row, onMove }: { row: Row; onMove: (row: Row) => void }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <li>
      <div className={styles.branch}>
        {row.children > 0 ? (
          <Button
            kind="quiet"
            className={styles.fold}
            aria-expanded={open}
            aria-controls={id}
            aria-label={`${row.companyName} 的下级`}
            onClick={() => setOpen(!open)}
          >
            {open ? '▾' : '▸'}
          </Button>
        ) : (
          <span className={styles.fold} />
        )}
        <div className={styles.lineMain}>
          <div className={styles.lineTitle}>
            <AgentLink id={row.id}>{row.companyName}</AgentLink>{' '}
            {row.status !== 'active' && (
              <StatusTag tone={AGENT_TONES[row.status]}>{AGENT_STATUSES[row.status]}</StatusTag>
            )}
          </div>
          <div className={styles.lineNote}>
            {row.id} · {row.levelName} · 商户 {formatCount(row.shops)} 家
            {row.children > 0 && ` · 下级 ${formatCount(row.children)} 家`}
          </div>
        </div>
        <Permit permission="partners.manage">
          <Button
            changes
            disabled={row.status === 'closed' ? MOVE_REFUSALS.MOVED_CLOSED : null}
            onClick={() => onMove(row)}
          >
            调整上级
          </Button>
        </Permit>
      </div>
      <div id={id} className={styles.under} hidden={!open}>
        {open && <Level parentId={row.id} onMove={onMove} />}
      </div>
    </li>
  )
}
