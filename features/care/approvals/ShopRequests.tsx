import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import {
  REFUSALS as MERCHANT_REFUSALS,
  type MerchantStatus,
  refuseDisabled,
} from '#features/shops/merchants/rules.ts'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { LoadFailure } from '#web/form/LoadStates.tsx'
import styles from './approvals.module.css'
import { type ApprovalRow, approvalsApi } from './approvalsApi.tsx'
import { RequestHistory, StateTag } from './RequestHistory.tsx'
import { APPROVAL_KIND_KEYS, APPROVAL_KINDS, type ApprovalKind, refuseWithdraw } from './rules.ts'

const RequestDialog = lazy(() => import('./RequestDialog.tsx'))

type Shop = { id: number; shopName: string; status: MerchantStatus }

/** On the details of a shop: what it may be called now, what waits for approval, asking and taking back. */
export default function ShopRequests({ merchant }: { merchant: Shop }) {
  const shop = useQuery(approvalsApi.ofShop.query({ merchantId: merchant.id }))
  const [asking, setAsking] = useState<ApprovalKind | null>(null)
  const [showsAll, setShowsAll] = useState(false)
  const disabled = refuseDisabled(merchant.status)
  if (shop.isError && !shop.data)
    return <LoadFailure error={shop.error} onRetry={() => void shop.refetch()} />
  const rows = shop.data?.rows ?? []
  const latest = (kind: ApprovalKind) => rows.find(row => row.kind === kind)
  return (
    <section className={styles.part} aria-label="审批申请" aria-busy={!shop.data}>
      <h3>审批申请</h3>
      <ul className={styles.kinds}>
        {APPROVAL_KIND_KEYS.map(kind => (
          <li key={kind} className={styles.kind}>
            <span>{APPROVAL_KINDS[kind]}</span>
            <Standing text={shop.data?.standing[kind]} row={latest(kind)} />
            <span className={styles.kindActions}>
              <Permit permission="approvals.request">
                <Withdraw row={latest(kind)} />
                <Button
                  kind="link"
                  changes
                  disabled={disabled && MERCHANT_REFUSALS[disabled]}
                  aria-label={`申请修改${APPROVAL_KINDS[kind]}`}
                  onClick={() => setAsking(kind)}
                >
                  申请修改
                </Button>
              </Permit>
            </span>
          </li>
        ))}
      </ul>
      {rows.length > 0 && (
        <Button kind="link" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? '收起申请记录' : `申请记录（${rows.length}）`}
        </Button>
      )}
      {showsAll && <RequestHistory rows={rows} />}
      {asking && shop.data && (
        <Suspense>
          <RequestDialog
            merchantId={merchant.id}
            kind={asking}
            standing={shop.data.standing[asking]}
            waiting={waitingOf(latest(asking))}
            hours={shop.data.hours}
            onClose={() => setAsking(null)}
          />
        </Suspense>
      )}
    </section>
  )
}

function waitingOf(row: ApprovalRow | undefined): string | null {
  return row && refuseWithdraw(row.state) === null ? row.content : null
}

function Standing({ text, row }: { text: string | undefined; row: ApprovalRow | undefined }) {
  return (
    <span className={styles.kindText}>
      <span>{text || <span className={look.quiet}>未设置</span>}</span>
      {row && row.state !== 'approved' && (
        <>
          <StateTag state={row.state} />
          <span className={look.quiet}>
            {row.content}
            {row.reason && `：${[row.reason, row.advice].filter(Boolean).join('。')}`}
          </span>
        </>
      )}
    </span>
  )
}

function Withdraw({ row }: { row: ApprovalRow | undefined }) {
  const withdraw = useMutation({
    mutationFn: (id: number) => approvalsApi.withdraw({ id }),
    onSuccess: () => {
      toast.success('已撤回')
      return reread()
    },
    onError: error => {
      toast.error(messageOf(error))
      readAgain('approvals')
    },
  })
  if (!row || refuseWithdraw(row.state) !== null) return null
  return (
    <Button
      kind="link"
      changes
      busy={withdraw.isPending}
      aria-label={`撤回${APPROVAL_KINDS[row.kind]}申请`}
      onClick={() => withdraw.mutate(row.id)}
    >
      撤回
    </Button>
  )
}
