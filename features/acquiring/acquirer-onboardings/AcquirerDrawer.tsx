import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import { ACQUIRER_NAMES } from '#kit/ports/acquirers.ts'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Drawer, DrawerBody } from '#web/form/Drawer.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { AcquirerDeeds, type Asking } from './AcquirerDeeds.tsx'
import { AcquirerFacts, Lacking, Pictures, Reasons } from './AcquirerFacts.tsx'
import styles from './acquirer.module.css'
import { type AcquirerData, acquirerApi } from './acquirerApi.tsx'
import { HandingIn } from './HandingIn.tsx'
import { AcquirerSettlement } from './slots.tsx'
import { TestPayments } from './TestPayments.tsx'

const CompleteDialog = lazy(() => import('./CompleteDialog.tsx'))
const RejectDialog = lazy(() => import('./RejectDialog.tsx'))
const HandOverDialog = lazy(() => import('./HandOverDialog.tsx'))
const CodeDialog = lazy(() => import('./SayDialogs.tsx').then(all => ({ default: all.CodeDialog })))
const StandingDialog = lazy(() => import('./SayDialogs.tsx').then(all => ({ default: all.StandingDialog })))
const RemarkDialog = lazy(() => import('./SayDialogs.tsx').then(all => ({ default: all.RemarkDialog })))

/** One shop at one acquirer over its list: what is asked, what is wanting, and the next step. */
export default function AcquirerDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const data = useQuery(acquirerApi.details.query({ id }))
  return (
    <Drawer title="收单进件" wide onClose={onClose}>
      <DrawerBody>
        {data.isError && !data.data ? (
          <LoadFailure error={data.error} onRetry={() => void data.refetch()} />
        ) : !data.data ? (
          <LoadingLines lines={12} />
        ) : (
          <Shown data={data.data} />
        )}
      </DrawerBody>
    </Drawer>
  )
}

function Shown({ data }: { data: AcquirerData }) {
  const history = useHistory()
  const [asking, setAsking] = useState<Asking | null>(null)
  const shown = { data, onClose: () => setAsking(null) }
  return (
    <div className={styles.body}>
      <header className={styles.shop}>
        <b>
          {data.shopName} · {ACQUIRER_NAMES[data.channel]}
        </b>
        <span className={look.quiet}>
          {data.merchantId} · 软件账号 {data.account} · {data.agentName}
        </span>
      </header>
      <AcquirerDeeds
        data={data}
        onAsk={setAsking}
        more={history.actionsOf({ kind: 'acquirerOnboarding', id: data.id, name: data.shopName })}
      />
      <Reasons data={data} />
      <Lacking data={data} />
      <HandingIn data={data} />
      <TestPayments data={data} />
      {data.state === 'opened' && <AcquirerSettlement id={data.id} />}
      <AcquirerFacts data={data} />
      <Pictures data={data} />
      <Suspense>
        {asking === 'complete' && <CompleteDialog {...shown} />}
        {(asking === 'reject' || asking === 'refuse') && <RejectDialog by={asking} {...shown} />}
        {asking === 'code' && <CodeDialog {...shown} />}
        {asking === 'standing' && <StandingDialog {...shown} />}
        {asking === 'remark' && <RemarkDialog {...shown} />}
        {asking === 'handOver' && <HandOverDialog {...shown} />}
      </Suspense>
      {history.drawer}
    </div>
  )
}
