import { useQuery } from '@tanstack/react-query'
import { FindShop } from '#features/shops/merchants/FindShop.tsx'
import { idAsked, useNavigate, usePageSearch } from '#web/client/navigation.ts'
import { reread } from '#web/client/reread.ts'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { Form } from '#web/form/Form.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import styles from './applications.module.css'
import { EXISTING } from './fields.ts'
import { programApplicationsApi } from './programApplicationsApi.tsx'
import { FORM_REFUSALS, STEP_REFUSALS } from './rules.ts'
import { ShopHead } from './ShopHead.tsx'

/** D2 §2 22: a shop has a mini program already. `?user_id=` in its address names the shop. */
export default function AddExistingPage() {
  const [{ user_id: asked }, ask] = usePageSearch<'/admin/schedule/UpdateApplet'>()
  const merchantId = idAsked(asked)
  return (
    <article className={`${look.page} ${styles.form}`}>
      <h1 className={look.pageTitle}>已有小程序</h1>
      <p className={look.quiet}>
        店铺已经有自己的企业小程序时在这里登记，不需要重新注册。个人小程序不能使用。
      </p>
      {merchantId !== null ? (
        <OfShop key={merchantId} merchantId={merchantId} onOther={() => ask({ user_id: undefined })} />
      ) : (
        <FindShop
          find={programApplicationsApi.find}
          missing={FORM_REFUSALS.ACCOUNT_REQUIRED}
          onFound={id => ask({ user_id: id })}
        />
      )}
    </article>
  )
}

function OfShop({ merchantId, onOther }: { merchantId: number; onOther: () => void }) {
  const navigate = useNavigate()
  const data = useQuery(programApplicationsApi.ofShop.query({ merchantId }))
  if (data.isError && !data.data)
    return <LoadFailure error={data.error} onRetry={() => void data.refetch()} />
  if (!data.data) return <LoadingLines lines={4} />
  const { id } = data.data
  return (
    <>
      <ShopHead data={data.data} onOther={onOther} />
      {id === null ? (
        <Form
          of={EXISTING}
          submitText="提交"
          send={({ programType }) =>
            programType && programApplicationsApi.addExisting({ merchantId, programType })
          }
          onDone={async () => {
            toast.success('提交成功')
            await reread()
            void navigate({ to: '/admin/schedule/appApplication' })
          }}
        />
      ) : (
        <p role="status" className={styles.note}>
          {STEP_REFUSALS.ANOTHER_STANDS}{' '}
          <Link to="/admin/schedule/appApplication" search={{ id }}>
            查看申请
          </Link>
        </p>
      )}
    </>
  )
}
