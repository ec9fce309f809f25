import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { formatCents, formatCount } from '#kit/money.ts'
import { Button } from '#web/Button.tsx'
import { usePermission } from '#web/session.ts'
import './payments.css'

const PayDialog = lazy(() => import('./PayDialog.tsx').then(module => ({ default: module.PayDialog })))

type Props = {
  asset: 'sms' | 'token'
  /** Pieces, or 1/100 tokens. Nothing is shown for 0. */
  missing: number
  /** What goes on afterwards, as a verb: 购买, 赠送. */
  purpose: string
  /** So much has been paid. Balances are read anew; a balance that was quoted is the caller's to correct. */
  onPaid?: (amount: number) => void
  /** It was paid, and with the next drawing nothing is missing: what was begun goes on. */
  onEnough?: () => void
}

/** Where tokens or SMS credit are missing: a QR for exactly what is missing, and then on with what was begun. */
export function MissingPay({ asset, missing, purpose, onPaid, onEnough }: Props) {
  const queries = useQueryClient()
  const may = usePermission(asset === 'sms' ? 'payments.sms' : 'payments.tokens')
  const [wanted, setWanted] = useState<number | null>(null)
  const [paid, setPaid] = useState(false)
  const isEnough = missing <= 0
  const goOn = useEffectEvent(() => {
    setPaid(false)
    onEnough?.()
  })
  useEffect(() => {
    if (paid && isEnough) goOn()
  }, [paid, isEnough])
  if (!may || (isEnough && wanted === null)) return null
  return (
    <div className="missing-pay">
      {!isEnough && (
        <Button kind="link" onClick={() => setWanted(missing)}>
          扫码补足 {asset === 'sms' ? `${formatCount(missing)} 条短信` : `${formatCents(missing)} 代币`}
        </Button>
      )}
      <Suspense>
        {wanted !== null && (
          <PayDialog
            title={asset === 'sms' ? '补足短信' : '补足代币'}
            wanted={asset === 'sms' ? { asset, pieces: wanted } : { asset, tokenCents: wanted }}
            next={`支付成功后自动继续${purpose}`}
            onPaid={() => {
              setWanted(null)
              setPaid(true)
              onPaid?.(wanted)
              void queries.invalidateQueries()
            }}
            onClose={() => setWanted(null)}
          />
        )}
      </Suspense>
    </div>
  )
}
