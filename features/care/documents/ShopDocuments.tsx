import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import {
  REFUSALS as MERCHANT_REFUSALS,
  type MerchantStatus,
  refuseDisabled,
} from '#features/shops/merchants/rules.ts'
import { formatDay, formatInstant } from '#kit/time.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { LoadFailure } from '#web/form/LoadStates.tsx'
import type { RowAction } from '#web/list/list-props.ts'
import styles from './documents.module.css'
import { type DocumentRow, documentsApi } from './documentsApi.tsx'
import { DOCUMENT_FIELDS } from './fields.ts'
import { DOCUMENT_KINDS, DOCUMENT_STATES, DOCUMENT_USERS, mayEnd } from './rules.ts'
import { usePapers } from './usePapers.tsx'

const KeepDialog = lazy(() => import('./KeepDialog.tsx'))
const ZipDialog = lazy(() => import('./ZipDialog.tsx'))

type Shop = { id: number; shopName: string; status: MerchantStatus }

/** On the details of a shop: the papers that are kept of it. None is shown before somebody says what for. */
export default function ShopDocuments({ merchant }: { merchant: Shop }) {
  const papers = useQuery(documentsApi.ofShop.query({ merchantId: merchant.id }))
  const [open, setOpen] = useState<'keep' | 'zip' | null>(null)
  const [showsAll, setShowsAll] = useState(false)
  const { actionsOf, dialogs } = usePapers()
  if (papers.isError && !papers.data)
    return <LoadFailure error={papers.error} onRetry={() => void papers.refetch()} />
  const code = refuseDisabled(merchant.status)
  const disabled = code && MERCHANT_REFUSALS[code]
  const rows = papers.data?.rows ?? []
  const current = rows.filter(row => row.state === 'current' || row.state === 'offered')
  const kept = rows.filter(row => row.state !== 'erased').length
  const others = rows.length - current.length
  const close = () => setOpen(null)
  return (
    <section className={styles.part} aria-label="证件资料" aria-busy={!papers.data}>
      <div className={styles.head}>
        <h3>证件资料</h3>
        <span className={styles.paperActions}>
          {kept > 0 && (
            <Permit permission="documents.take">
              <Button kind="link" onClick={() => setOpen('zip')}>
                打包下载
              </Button>
            </Permit>
          )}
          <Permit permission="documents.keep">
            <Button changes kind="link" disabled={disabled} onClick={() => setOpen('keep')}>
              上传资料
            </Button>
          </Permit>
        </span>
      </div>
      {papers.data && rows.length === 0 && (
        <p className={look.quiet}>还没有资料。身份证、营业执照等上传一次，实名认证、支付进件都可以使用</p>
      )}
      <ul className={styles.papers}>
        {(showsAll ? rows : current).map(row => (
          <Paper key={row.id} row={row} actions={actionsOf(row, disabled)} />
        ))}
      </ul>
      {others > 0 && (
        <Button kind="link" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? '收起以前的资料' : `以前的资料（${others}）`}
        </Button>
      )}
      {dialogs}
      <Suspense>
        {open === 'keep' && <KeepDialog merchantId={merchant.id} replaced={null} onClose={close} />}
        {open === 'zip' && <ZipDialog shop={merchant} count={kept} onClose={close} />}
      </Suspense>
    </section>
  )
}

function Paper({ row, actions }: { row: DocumentRow; actions: readonly RowAction[] }) {
  const kind = DOCUMENT_KINDS[row.kind]
  const isCurrent = row.state === 'current'
  return (
    <li className={styles.paper}>
      <span className={styles.paperHead}>
        <b>{kind}</b>
        {row.numberMasked && <span className={look.number}>{row.numberMasked}</span>}
        {!isCurrent && (
          <StatusTag tone={DOCUMENT_FIELDS.state.tones[row.state]}>{DOCUMENT_STATES[row.state]}</StatusTag>
        )}
      </span>
      <span className={look.quiet}>{aboutOf(row)}</span>
      <span className={styles.paperActions}>
        {actions.map(({ key, label, disabled, reads, onClick }) => (
          <Button
            key={key}
            kind="link"
            changes={!reads}
            disabled={disabled}
            aria-label={`${label}：${kind}`}
            onClick={onClick}
          >
            {label}
          </Button>
        ))}
      </span>
    </li>
  )
}

function aboutOf(row: DocumentRow): string {
  if (row.state === 'erased')
    return `${row.erasedByName} ${formatInstant(row.erasedAt ?? '')} 销毁 · ${row.eraseReason}`
  return [
    ...(mayEnd(row.kind) && row.state === 'current' ? [endOf(row)] : []),
    ...(row.usedBy.length > 0 ? [`用于${row.usedBy.map(user => DOCUMENT_USERS[user]).join('、')}`] : []),
    `${row.createdByName} ${formatInstant(row.createdAt)} 上传`,
    ...(row.keepUntil ? [`未使用，${formatDay(row.keepUntil)} 后自动销毁`] : []),
  ].join(' · ')
}

function endOf({ expiresOn, isLongTerm }: DocumentRow): string {
  if (isLongTerm) return '长期有效'
  if (!expiresOn) return '未填写有效期'
  return expiresOn < formatDay(new Date()) ? `已于 ${expiresOn} 到期` : `有效期至 ${expiresOn}`
}
