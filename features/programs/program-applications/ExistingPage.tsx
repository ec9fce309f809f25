import { useQuery } from '@tanstack/react-query'
import { idAsked, useNavigate, usePageSearch } from '#web/client/navigation.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { buttonLook } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { Form } from '#web/form/Form.tsx'
import { EmptyState, LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import styles from './applications.module.css'
import { EXISTING } from './fields.ts'
import { programApplicationsApi } from './programApplicationsApi.tsx'
import { STEP_REFUSALS } from './rules.ts'
import { ShopHead } from './ShopHead.tsx'

/** D3 §2: what a mini program is for that the shop has already. `?sv_wxapp_application_id=` in its address names the application. */
export default function ExistingPage() {
  const [{ sv_wxapp_application_id: asked }] = usePageSearch<'/admin/schedule/existingApplet'>()
  const id = idAsked(asked)
  return (
    <article className={`${look.page} ${styles.form}`}>
      <h1 className={look.pageTitle}>修改小程序类别</h1>
      {id === null ? (
        <EmptyState title="没有选择小程序" role="alert">
          <p>地址中没有申请的编号，请从小程序申请打开</p>
          <Link className={buttonLook('primary')} to="/admin/schedule/appApplication">
            返回小程序申请
          </Link>
        </EmptyState>
      ) : (
        <OfApplication key={id} id={id} />
      )}
    </article>
  )
}

function OfApplication({ id }: { id: number }) {
  const navigate = useNavigate()
  const data = useQuery({ ...programApplicationsApi.details.query({ id }), refetchOnWindowFocus: false })
  if (data.isError && !data.data)
    return <LoadFailure error={data.error} onRetry={() => void data.refetch()} />
  if (!data.data) return <LoadingLines lines={4} />
  const { kind, deletedAt, revision, programType } = data.data
  const refusal =
    deletedAt !== null
      ? STEP_REFUSALS.DELETED_ALREADY
      : kind === 'existing'
        ? null
        : STEP_REFUSALS.NOT_EXISTING
  return (
    <>
      <ShopHead data={data.data} />
      {refusal === null ? (
        <Form
          of={EXISTING}
          known={{ programType }}
          submitText="保存"
          send={given =>
            given.programType &&
            programApplicationsApi
              .setType({ id, revision, programType: given.programType })
              .catch((error: unknown) => {
                readAgain('programApplications')
                throw error
              })
          }
          onDone={async () => {
            toast.success('修改成功')
            await reread()
            void navigate({ to: '/admin/schedule/appApplication' })
          }}
        />
      ) : (
        <p role="status" className={styles.note}>
          {refusal}
        </p>
      )}
    </>
  )
}
