import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { LoadFailure, LoadingLines } from '#features/merchants/LoadStates.tsx'
import { api, newKey } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { Dialog } from '#web/Dialog.tsx'
import { toast } from '#web/toast.ts'
import type { payments } from './contract.ts'
import { PayPanel } from './PayPanel.tsx'
import './payments.css'

const paymentsApi = api<typeof payments>('payments')

/** What is topped up: a package or a number of pieces, or tokens in 1/100. */
export type Wanted =
  | { asset: 'sms'; packageId: number }
  | { asset: 'sms'; pieces: number }
  | { asset: 'token'; tokenCents: number }

type Props = {
  title: string
  wanted: Wanted
  /** What goes on once it is paid, in words. */
  next?: string
  onPaid: () => void
  onClose: () => void
}

/** Orders at once and shows the QR; closes by itself once it is paid. Closing it earlier loses nothing: a later payment counts. */
export function PayDialog({ title, wanted, next, onPaid, onClose }: Props) {
  const [key, setKey] = useState(newKey)
  const starting = useMutation({ mutationFn: (idempotencyKey: string) => start(wanted, idempotencyKey) })
  const begin = useEffectEvent((idempotencyKey: string) => starting.mutate(idempotencyKey))
  useEffect(() => begin(key), [key])
  return (
    <Dialog title={title} width={400} onClose={onClose} footer={<Button onClick={onClose}>关闭</Button>}>
      <div className="pay-dialog">
        {starting.isError ? (
          <LoadFailure error={starting.error} onRetry={() => starting.mutate(key)} />
        ) : starting.data ? (
          <PayPanel
            key={starting.data.queryId}
            started={starting.data}
            onPaid={() => {
              toast.success('支付成功')
              onPaid()
            }}
            onAgain={() => setKey(newKey())}
          />
        ) : (
          <div className="pay-loading">
            <LoadingLines lines={12} />
          </div>
        )}
        {next && <p className="pay-next">{next}</p>}
      </div>
    </Dialog>
  )
}

export function start(wanted: Wanted, idempotencyKey: string) {
  if (wanted.asset === 'token')
    return paymentsApi.startTokens({ tokenCents: wanted.tokenCents }, { idempotencyKey })
  return 'packageId' in wanted
    ? paymentsApi.startSms({ packageId: wanted.packageId }, { idempotencyKey })
    : paymentsApi.startSms({ pieces: wanted.pieces }, { idempotencyKey })
}
