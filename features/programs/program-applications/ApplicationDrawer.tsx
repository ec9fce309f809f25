import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { Permit } from '#web/controls/Permit.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { Drawer, DrawerBody } from '#web/form/Drawer.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { ApplicationFacts, Reason } from './ApplicationFacts.tsx'
import styles from './applications.module.css'
import { type ApplicationData, programApplicationsApi } from './programApplicationsApi.tsx'
import { undecidableText } from './rules.ts'
import { ShopHead } from './ShopHead.tsx'

const RejectDialog = lazy(() => import('./RejectDialog.tsx'))

/** One application over its list: what was filled in, its papers, and the decision. */
export default function ApplicationDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const data = useQuery(programApplicationsApi.details.query({ id }))
  return (
    <Drawer title="小程序申请" wide onClose={onClose}>
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
  const { merchantId, shopName, revision, state } = data
  const history = useHistory()
  const mayEdit = usePermission('programApplications.edit')
  const [rejecting, setRejecting] = useState(false)
  const approve = useMutation({
    mutationFn: () => programApplicationsApi.approve({ id, revision }),
    onSuccess: () => {
      toast.success('审核通过')
      return reread()
    },
    onError: error => {
      toast.warning(messageOf(error))
      readAgain('programApplications')
    },
  })
  const isPending = state !== null && undecidableText({ ...data, state }, 'approve') === null
  return (
    <div className={styles.body}>
      <ShopHead data={data} />
      <div className={styles.steps}>
        {isPending && (
          <Permit permission="programApplications.decide">
            <Button changes kind="primary" busy={approve.isPending} onClick={() => approve.mutate()}>
              通过
            </Button>
            <Button changes onClick={() => setRejecting(true)}>
              驳回
            </Button>
          </Permit>
        )}
        {mayEdit && data.editRefusal === null && (
          <Link to="/admin/schedule/creationApplet" search={{ user_id: merchantId }}>
            {isPending ? '修改资料' : '修改并提交'}
          </Link>
        )}
        <Permit permission="aftersales.adjust">
          <Link to="/admin/tool/merchantsToAdjust" search={{ search: String(merchantId) }}>
            更换代理商
          </Link>
        </Permit>
        {history
          .actionsOf({ kind: 'programApplication', id, name: shopName })
          .map(({ key, label, onClick }) => (
            <Button key={key} kind="quiet" onClick={onClick}>
              {label}
            </Button>
          ))}
      </div>
      <Reason data={data} />
      <ApplicationFacts data={data} />
      <Suspense>
        {rejecting && <RejectDialog id={id} data={data} onClose={() => setRejecting(false)} />}
      </Suspense>
      {history.drawer}
    </div>
  )
}
