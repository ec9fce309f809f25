import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import type { payments } from '#features/sales/payments/contract.ts'
import { noChannelText } from '#features/sales/payments/rules.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { Select } from '#web/form/Select.tsx'
import { priceOfPack } from './RechargeChoice.tsx'
import styles from './recharge.module.css'

const paymentsApi = api<typeof payments>('payments')
const PayDialog = lazy(() =>
  import('#features/sales/payments/PayDialog.tsx').then(module => ({ default: module.PayDialog })),
)

/** Tops up SMS credit from the start page: a package, and its QR. */
export default function RechargeWidget() {
  const offer = useQuery(paymentsApi.offer.query())
  const { isVendorStaff } = useSession()
  const [packageId, setPackageId] = useState<number | null>(null)
  const [paying, setPaying] = useState(false)
  if (offer.isError) return <LoadFailure error={offer.error} onRetry={() => void offer.refetch()} />
  if (!offer.data) return <LoadingLines lines={4} />
  const { packages, channels, smsBalance } = offer.data
  const chosen = packages.find(row => row.id === packageId) ?? packages[0]
  if (channels.length === 0 || !chosen) return <p className={look.quiet}>{noChannelText(isVendorStaff)}</p>
  return (
    <div className={styles.rechargeWidget}>
      <p>
        短信余额 <b className={look.number}>{formatCount(smsBalance)}</b> 条
      </p>
      <Select
        aria-label="短信套餐"
        value={chosen.id}
        onChange={id => setPackageId(id ?? null)}
        onSearch={null}
        options={packages.map(row => ({
          value: row.id,
          label: labelOf(priceOfPack(offer.data, row)),
        }))}
      />
      <div className={styles.rechargeWidgetFoot}>
        <Button changes onClick={() => setPaying(true)}>
          扫码充值
        </Button>
        <Link to="/admin/account/msgRecharge">更多方式</Link>
      </div>
      <Suspense>
        {paying && (
          <PayDialog
            title="短信充值"
            wanted={priceOfPack(offer.data, chosen).wanted}
            onPaid={() => setPaying(false)}
            onClose={() => setPaying(false)}
          />
        )}
      </Suspense>
    </div>
  )
}

/** 4,000 条 送 400 条 · ¥200.00 */
function labelOf({ text, price }: ReturnType<typeof priceOfPack>): string {
  const given = price.bonus > 0 ? ` 送 ${formatCount(price.bonus)} 条` : ''
  return `${text}${given} · ¥${formatCents(price.amountFen)}`
}
