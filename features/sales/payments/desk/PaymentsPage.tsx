import { lazy } from 'react'
import { usePermission } from '#web/client/session.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { PageViews } from '#web/shell/PageViews.tsx'
import { PaymentIntents } from './PaymentIntents.tsx'

const PaymentEvents = lazy(() => import('./PaymentEvents.tsx'))
const PaymentRefunds = lazy(() => import('./PaymentRefunds.tsx'))
const PaymentBills = lazy(() => import('./PaymentBills.tsx'))
const PaymentDifferences = lazy(() => import('./PaymentDifferences.tsx'))
const PaymentSettings = lazy(() => import('./PaymentSettings.tsx'))

/** Everything about money from outside, for the operator. */
export default function PaymentsPage() {
  const maySet = usePermission('paymentDesk.settings')
  const views = [
    { key: 'intents', name: '支付单', content: <PaymentIntents /> },
    { key: 'events', name: '渠道通知', content: <PaymentEvents /> },
    { key: 'refunds', name: '退款', content: <PaymentRefunds /> },
    { key: 'bills', name: '对账', content: <PaymentBills /> },
    { key: 'differences', name: '对账差异', content: <PaymentDifferences /> },
    ...(maySet ? [{ key: 'settings', name: '价格与渠道', content: <PaymentSettings /> }] : []),
  ]
  return (
    <Suspense>
      <PageViews label="支付管理" views={views} />
    </Suspense>
  )
}
