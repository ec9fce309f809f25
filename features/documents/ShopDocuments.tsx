import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import {
  REFUSALS as MERCHANT_REFUSALS,
  type MerchantStatus,
  refuseDisabled,
} from '#features/merchants/rules.ts'
import { formatInstant } from '#kit/time.ts'
import { Button } from '#web/Button.tsx'
import { LoadFailure } from '#web/form/LoadStates.tsx'
import { look } from '#web/look.ts'
import { Permit } from '#web/Permit.tsx'
import { StatusTag } from '#web/StatusTag.tsx'
import styles from './documents.module.css'
import { type DocumentRow, documentsApi } from './documentsApi.tsx'
import { DOCUMENT_FIELDS } from './fields.ts'
import { DOCUMENT_KINDS, DOCUMENT_STATES, DOCUMENT_USERS, mayEnd } from './rules.ts'

const KeepDialog = lazy(() => import('./KeepDialog.tsx'))
const LookDialog = lazy(() => import('./LookDialog.tsx'))
const ExpiryDialog = lazy(() => import('./ExpiryDialog.tsx'))

type Shop = { id: number; shopName: string; status: MerchantStatus }
type Doing = { what: 'keep' | 'look' | 'end'; row: DocumentRow | null }

/** On the details of a shop: the papers that are kept of it. None is shown before somebody says what for. */
export default function ShopDocuments({ merchant }: { merchant: Shop }) {
  const papers = useQuery(documentsApi.ofShop.query({ merchantId: merchant.id }))
  const [doing, setDoing] = useState<Doing | null>(null)
  const [showsAll, setShowsAll] = useState(false)
  if (papers.isError && !papers.data)
    return <LoadFailure error={papers.error} onRetry={() => void papers.refetch()} />
  const code = refuseDisabled(merchant.status)
  const disabled = code && MERCHANT_REFUSALS[code]
  const rows = papers.data?.rows ?? []
  const current = rows.filter(row => row.state === 'current')
  const others = rows.length - current.length
  const close = () => setDoing(null)
  return (
    <section className={styles.part} aria-label="证件资料" aria-busy={!papers.data}>
      <div className={styles.head}>
        <h3>证件资料</h3>
        <Permit permission="documents.keep">
          <Button
            changes
            kind="link"
            disabled={disabled}
            onClick={() => setDoing({ what: 'keep', row: null })}
          >
            上传资料
          </Button>
        </Permit>
      </div>
      {papers.data && rows.length === 0 && (
        <p className={look.quiet}>还没有资料。身份证、营业执照等上传一次，实名认证、支付进件都可以使用</p>
      )}
      <ul className={styles.papers}>
        {(showsAll ? rows : current).map(row => (
          <Paper key={row.id} row={row} disabled={disabled} onDo={what => setDoing({ what, row })} />
        ))}
      </ul>
      {others > 0 && (
        <Button kind="link" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? '收起以前的资料' : `以前的资料（${others}）`}
        </Button>
      )}
      <Suspense>
        {doing?.what === 'keep' && (
          <KeepDialog merchantId={merchant.id} replaced={doing.row} onClose={close} />
        )}
        {doing?.what === 'look' && doing.row && <LookDialog row={doing.row} onClose={close} />}
        {doing?.what === 'end' && doing.row && <ExpiryDialog row={doing.row} onClose={close} />}
      </Suspense>
    </section>
  )
}

type PaperProps = {
  row: DocumentRow
  disabled: string | null
  onDo: (what: Doing['what']) => void
}

function Paper({ row, disabled, onDo }: PaperProps) {
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
      <span className={look.quiet}>
        {[
          ...(mayEnd(row.kind) && isCurrent ? [endOf(row)] : []),
          ...(row.usedBy.length > 0
            ? [`用于${row.usedBy.map(user => DOCUMENT_USERS[user]).join('、')}`]
            : []),
          `${row.createdByName} ${formatInstant(row.createdAt)} 上传`,
        ].join(' · ')}
      </span>
      {row.state !== 'erased' && (
        <span className={styles.paperActions}>
          <Button kind="link" aria-label={`查看${kind}`} onClick={() => onDo('look')}>
            查看
          </Button>
          {isCurrent && (
            <Permit permission="documents.keep">
              {mayEnd(row.kind) && (
                <Button changes kind="link" aria-label={`${kind}有效期`} onClick={() => onDo('end')}>
                  有效期
                </Button>
              )}
              <Button
                changes
                kind="link"
                disabled={disabled}
                aria-label={`替换${kind}`}
                onClick={() => onDo('keep')}
              >
                替换
              </Button>
            </Permit>
          )}
        </span>
      )}
    </li>
  )
}

function endOf({ expiresOn, isLongTerm }: DocumentRow): string {
  if (isLongTerm) return '长期有效'
  return expiresOn ? `有效期至 ${expiresOn}` : '未填写有效期'
}
