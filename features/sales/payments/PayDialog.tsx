import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { api, messageOf, newKey, refusalOf } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { toast } from '#web/controls/toast.ts'
import { Dialog } from '#web/form/Dialog.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import type { payments } from './contract.ts'
import { PayPanel } from './PayPanel.tsx'
import styles from './payments.module.css'
import { START_REFUSALS } from './rules.ts'

const paymentsApi = api<typeof payments>('payments')

/** What is topped up: a package or a number of pieces, or tokens in 1/100. */
export type Wanted = (
  | { asset: 'sms'; packageId: number }
  | { asset: 'sms'; pieces: number }
  | { asset: 'token'; tokenCents: number }
) & {
  /** The price that was shown, if one was, and what is given beside it. */
  amountFen?: number
  bonus?: number
}

type Props = {
  title: string
  wanted: Wanted
  /** What goes on once it is paid, in words. */
  next?: string
  /** The order stands, also where the dialog was closed before the answer came. */
  onStarted?: (queryId: string) => void
  onPaid: (queryId: string) => void
  onClose: () => void
}

/** What was ordered here and is not known to be paid or over, by what it tops up. */
const unpaid = new Map<string, string>()

/**
 * Orders at once and shows the QR; closes by itself once it is paid. Closing it earlier loses nothing: a later payment
 * counts, and opening it again within the order's time shows the same order.
 */
export function PayDialog({ title, wanted, next, onStarted, onPaid, onClose }: Props) {
  const [key, setKey] = useState(newKey)
  const starting = useMutation({
    mutationFn: (idempotencyKey: string) => startOrResume(wanted, idempotencyKey),
    onSuccess: ({ queryId }) => onStarted?.(queryId),
  })
  const started = starting.data
  const begin = useEffectEvent((idempotencyKey: string) => starting.mutate(idempotencyKey))
  useEffect(() => begin(key), [key])
  return (
    <Dialog title={title} width={400} onClose={onClose} footer={<Button onClick={onClose}>关闭</Button>}>
      <div className={styles.payDialog}>
        {starting.isError ? (
          <NotStarted error={starting.error} onRetry={() => starting.mutate(key)} />
        ) : started ? (
          <PayPanel
            key={started.queryId}
            started={started}
            onPaid={() => {
              toast.success('支付成功')
              onPaid(started.queryId)
            }}
            onAgain={() => setKey(newKey())}
          />
        ) : (
          <div className={styles.payLoading}>
            <LoadingLines lines={12} />
          </div>
        )}
        {next && !starting.isError && <p className={styles.payNext}>{next}</p>}
      </div>
    </Dialog>
  )
}

/** Asking again does not help against a rule: a limit, or no channel. */
function NotStarted({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const code = refusalOf(error)?.code
  return code && code in START_REFUSALS ? (
    <p className={styles.payRefused} role="alert">
      {messageOf(error)}
    </p>
  ) : (
    <LoadFailure error={error} onRetry={onRetry} />
  )
}

/** The order of the same that was left unpaid, while it lives; else a new one. */
export async function startOrResume(wanted: Wanted, idempotencyKey: string) {
  const name = JSON.stringify(wanted)
  const started = (await resume(unpaid.get(name))) ?? (await start(wanted, idempotencyKey))
  unpaid.set(name, started.queryId)
  return started
}

async function resume(queryId: string | undefined) {
  if (!queryId) return null
  try {
    return await paymentsApi.refresh({ queryId })
  } catch (error) {
    // Paid or ended meanwhile: it shows no QR any more.
    if (refusalOf(error) && refusalOf(error)?.code !== 'BUSY') return null
    throw error
  }
}

function start({ asset, ...wanted }: Wanted, idempotencyKey: string) {
  return asset === 'token'
    ? paymentsApi.startTokens(wanted, { idempotencyKey })
    : paymentsApi.startSms(wanted, { idempotencyKey })
}
