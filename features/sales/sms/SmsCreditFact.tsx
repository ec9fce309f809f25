import { lazy, useState } from 'react'
import { refuseShop } from '#features/sales/services/rules.ts'
import type { MerchantStatus } from '#features/shops/merchants/rules.ts'
import { formatCount } from '#kit/money.ts'
import { useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { refuseRecallFrom, SMS_REFUSALS } from './rules.ts'
import styles from './sms.module.css'

const SmsGiftDialog = lazy(() => import('./SmsGiftDialog.tsx'))
const SmsRecallDialog = lazy(() => import('./SmsRecallDialog.tsx'))

type Shop = { id: number; agentId: number; shopName: string; status: MerchantStatus; smsBalance: number }

/** The pieces that a shop holds, and the way to take them back. */
export function SmsCreditFact({ merchant }: { merchant: Shop }) {
  const session = useSession()
  const [open, setOpen] = useState(false)
  const [giving, setGiving] = useState(false)
  const code =
    refuseRecallFrom(merchant, session.agentId) ?? (merchant.smsBalance === 0 ? 'RECALL_EMPTY' : null)
  const gift = refuseShop(merchant, session.agentId)
  return (
    <span className={styles.smsCredit}>
      {formatCount(merchant.smsBalance)} 条
      {session.permissions.includes('sms.recall') && (
        <Button kind="link" changes disabled={code && SMS_REFUSALS[code]} onClick={() => setOpen(true)}>
          回收短信
        </Button>
      )}
      {session.permissions.includes('sms.gift') && (
        <Button kind="link" changes disabled={gift && SMS_REFUSALS[gift]} onClick={() => setGiving(true)}>
          赠送短信
        </Button>
      )}
      <Suspense>{giving && <SmsGiftDialog merchant={merchant} onClose={() => setGiving(false)} />}</Suspense>
      <Suspense>{open && <SmsRecallDialog merchant={merchant} onClose={() => setOpen(false)} />}</Suspense>
    </span>
  )
}
