import { useQueryClient } from '@tanstack/react-query'
import { lazy, useEffect, useEffectEvent, useState } from 'react'
import type { Missing } from '#features/money/ledger/slots.tsx'
import { formatCents, formatCount } from '#kit/money.ts'
import { afterPause, busyWhile } from '#web/client/ready.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { Remedy } from '#web/form/ActionBar.tsx'
import styles from './payments.module.css'
import { LIMITS } from './rules.ts'
import { useResult } from './usePayment.tsx'

const PayDialog = lazy(() => import('./PayDialog.tsx').then(module => ({ default: module.PayDialog })))

/** After the balances were read anew, for what waits for them to be drawn. */
const DRAWN_AFTER_MS = 300

type Ordered = { queryId: string; amount: number }

/** Where tokens or SMS credit are missing: a QR for exactly what is missing, and then on with what was begun. */
export function MissingPay({ asset, missing, purpose, onPaid, onEnough }: Missing) {
  const queries = useQueryClient()
  const may = usePermission(asset === 'sms' ? 'payments.sms' : 'payments.tokens')
  const [dialog, setDialog] = useState<{ amount: number; queryId: string | null } | null>(null)
  // May each be paid until it ends, also after its dialog was closed or another amount was asked for.
  const [ordered, setOrdered] = useState<readonly Ordered[]>([])
  const [paid, setPaid] = useState<'no' | 'reading' | 'read'>('no')
  const isEnough = missing <= 0
  const goOn = useEffectEvent(() => {
    setPaid('no')
    if (isEnough) onEnough?.()
    // Nothing goes on by itself later, when something cheaper is chosen.
    else toast.warning('支付已到账，但余额有变动，仍然不足，请再次补足')
  })
  useEffect(() => {
    if (paid === 'read' || (paid === 'reading' && isEnough)) goOn()
  }, [paid, isEnough])
  if (!may) return null
  const forget = (queryId: string) => setOrdered(known => known.filter(order => order.queryId !== queryId))
  const order = (queryId: string, amount: number) => {
    setOrdered(known => [...known.filter(one => one.queryId !== queryId), { queryId, amount }])
    setDialog(shown => shown && { ...shown, queryId })
  }
  const credit = ({ queryId, amount }: Ordered) => {
    forget(queryId)
    onPaid?.(amount)
    setDialog(null)
    // Whoever closed the QR goes on with a press: by then it may no longer be meant.
    if (dialog) setPaid('reading')
    else toast.success(`支付成功，可以继续${purpose}`)
    const read = () => setPaid(known => (known === 'reading' ? 'read' : known))
    void busyWhile(queries.invalidateQueries()).finally(() => afterPause(read, DRAWN_AFTER_MS))
  }
  return (
    <>
      {ordered
        .filter(({ queryId }) => queryId !== dialog?.queryId)
        .map(one => (
          <Followed
            key={one.queryId}
            queryId={one.queryId}
            onPaid={() => credit(one)}
            onOver={() => forget(one.queryId)}
          />
        ))}
      {(!isEnough || dialog) && (
        <div className={styles.missingPay}>
          {!isEnough && (
            <Remedy>
              <Button
                kind="primary"
                busy={paid !== 'no'}
                onClick={() => setDialog({ amount: missing, queryId: null })}
              >
                扫码补足 {asset === 'sms' ? `${formatCount(missing)} 条短信` : `${formatCents(missing)} 代币`}
              </Button>
            </Remedy>
          )}
          <Suspense>
            {dialog && (
              <PayDialog
                title={asset === 'sms' ? '补足短信' : '补足代币'}
                wanted={
                  asset === 'sms' ? { asset, pieces: dialog.amount } : { asset, tokenCents: dialog.amount }
                }
                next={`支付成功后自动继续${purpose}`}
                onStarted={queryId => order(queryId, dialog.amount)}
                onPaid={queryId => credit({ queryId, amount: dialog.amount })}
                onClose={() => setDialog(null)}
              />
            )}
          </Suspense>
        </div>
      )}
    </>
  )
}

type FollowedProps = { queryId: string; onPaid: () => void; onOver: () => void }

/** A payment whose QR is not shown any more, until it is paid or over. */
function Followed({ queryId, onPaid, onOver }: FollowedProps) {
  const action = useResult(queryId, LIMITS.queryEveryMs).data?.action
  const tell = useEffectEvent(() => {
    if (action === 1) onPaid()
    if (action === -1) onOver()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once for each answer.
  useEffect(() => tell(), [action])
  return null
}
