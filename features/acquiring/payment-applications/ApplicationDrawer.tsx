import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { Drawer, DrawerBody } from '#web/form/Drawer.tsx'
import { FileLink } from '#web/form/files/FileLink.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { ApplicationFacts, Reasons } from './ApplicationFacts.tsx'
import styles from './applications.module.css'
import { type ApplicationData, applicationsApi } from './applicationsApi.tsx'
import { undecidableText } from './rules.ts'
import { ServiceSection } from './slots.tsx'

const RejectDialog = lazy(() => import('./RejectDialog.tsx'))
const ReviewDialog = lazy(() => import('./ReviewDialog.tsx'))

/** One application over its list: papers beside what they are to prove, the decision, and how far it is with the payment service. */
export default function ApplicationDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const data = useQuery(applicationsApi.details.query({ id }))
  return (
    <Drawer title="支付申请" wide onClose={onClose}>
      <DrawerBody>
        {data.isError && !data.data ? (
          <LoadFailure error={data.error} onRetry={() => void data.refetch()} />
        ) : !data.data ? (
          <LoadingLines lines={12} />
        ) : (
          <Shown id={id} data={data.data} />
        )}
      </DrawerBody>
    </Drawer>
  )
}

function Shown({ id, data }: { id: number; data: ApplicationData }) {
  const { merchantId, shopName, revision, state, reviewState, handledByName } = data
  const history = useHistory()
  const mayEdit = usePermission('paymentApplications.edit')
  const [asking, setAsking] = useState<'reject' | 'review' | null>(null)
  const approve = useMutation({
    mutationFn: () => applicationsApi.approve({ id, revision }),
    onSuccess: () => {
      toast.success('已通过')
      return reread()
    },
    onError: error => {
      toast.warning(messageOf(error))
      readAgain('paymentApplications')
    },
  })
  const isPending = state !== null && undecidableText({ state, handledByName }, 'approve') === null
  return (
    <div className={styles.body}>
      <header className={styles.shop}>
        <b>{shopName}</b>
        <span className={look.quiet}>
          {merchantId} · 软件账号 {data.account} · {data.agentName}
        </span>
      </header>
      <div className={styles.steps}>
        {isPending && (
          <Permit permission="paymentApplications.decide">
            <Button changes kind="primary" busy={approve.isPending} onClick={() => approve.mutate()}>
              通过
            </Button>
            <Button changes onClick={() => setAsking('reject')}>
              驳回
            </Button>
          </Permit>
        )}
        {reviewState !== null && (
          <Permit permission="paymentApplications.review">
            <Button changes onClick={() => setAsking('review')}>
              更新受理状态
            </Button>
          </Permit>
        )}
        {mayEdit && data.editRefusal === null && (
          <Link to="/admin/schedule/submitPayment" search={{ user_id: merchantId }}>
            修改并重新提交
          </Link>
        )}
        <Permit permission="documents.take">
          <FileLink href={`/api/payment-applications/${id}/zip`} rows={null}>
            下载资料
          </FileLink>
        </Permit>
        {history
          .actionsOf({ kind: 'paymentApplication', id, name: shopName })
          .map(({ key, label, onClick }) => (
            <Button key={key} kind="quiet" onClick={onClick}>
              {label}
            </Button>
          ))}
      </div>
      <Reasons data={data} />
      <ServiceSection id={id} />
      <ApplicationFacts data={data} />
      <Suspense>
        {asking === 'reject' && <RejectDialog id={id} data={data} onClose={() => setAsking(null)} />}
        {asking === 'review' && <ReviewDialog id={id} data={data} onClose={() => setAsking(null)} />}
      </Suspense>
      {history.drawer}
    </div>
  )
}
