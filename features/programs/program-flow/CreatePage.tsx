import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FORM_REFUSALS } from '#features/programs/program-applications/rules.ts'
import { ShopHead } from '#features/programs/program-applications/ShopHead.tsx'
import { idAsked, useNavigate, usePageSearch } from '#web/client/navigation.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { Button, buttonLook } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Dialog } from '#web/form/Dialog.tsx'
import { Form } from '#web/form/Form.tsx'
import { EmptyState, LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { REGISTRANT } from './fields.ts'
import styles from './flow.module.css'
import { type FlowData, programFlowApi } from './programFlowApi.tsx'
import { brokenRegistrant, FLOW_STATES, takes } from './rules.ts'

/** D2 §2 23, D3 §2: what the platform is asked to register. `?sv_wxapp_application_id=` in its address names the application. */
export default function CreatePage() {
  const [{ sv_wxapp_application_id: asked }] = usePageSearch<'/admin/schedule/determineApplet'>()
  const id = idAsked(asked)
  return (
    <article className={`${look.page} ${styles.form}`}>
      <h1 className={look.pageTitle}>提交创建小程序</h1>
      {id === null ? (
        <EmptyState title="没有选择小程序" role="alert">
          <p>地址中没有申请的编号，请从小程序进度打开</p>
          <Link className={buttonLook('primary')} to="/admin/schedule/AppletFlow">
            返回小程序进度
          </Link>
        </EmptyState>
      ) : (
        <OfFlow key={id} id={id} />
      )}
    </article>
  )
}

function OfFlow({ id }: { id: number }) {
  const data = useQuery({ ...programFlowApi.details.query({ id }), refetchOnWindowFocus: false })
  const [isSent, setSent] = useState(false)
  const navigate = useNavigate()
  const leave = () => void navigate({ to: '/admin/schedule/AppletFlow', search: { id } })
  if (data.isError && !data.data)
    return <LoadFailure error={data.error} onRetry={() => void data.refetch()} />
  if (!data.data) return <LoadingLines lines={8} />
  const { state, deletedAt, message } = data.data
  return (
    <>
      <ShopHead data={data.data} />
      {isSent ? null : takes(state, 'create') && deletedAt === null ? (
        <>
          {message !== '' && (
            <p className={styles.message} role="status">
              {message}
            </p>
          )}
          <RegistrantForm data={data.data} onDone={() => setSent(true)} />
        </>
      ) : (
        <p role="status" className={styles.quiet}>
          {deletedAt === null
            ? `当前进度为「${FLOW_STATES[state]}」，不需要提交创建`
            : '申请已删除，请先恢复'}
        </p>
      )}
      {isSent && (
        <Dialog title="信息反馈" width={420} onClose={leave}>
          <p className={styles.told}>
            已提交创建。微信受理后会向法人的微信发送消息，请法人在24小时内打开消息并完成人脸核身，可在小程序进度中查看结果。
          </p>
          <div className={styles.told}>
            <Button kind="primary" onClick={leave}>
              确定
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}

function RegistrantForm({ data, onDone }: { data: FlowData; onDone: () => void }) {
  const { id, revision, legalPersonWechatMasked: masked } = data
  const isKept = masked !== ''
  return (
    <Form
      of={REGISTRANT}
      known={{ ...data, legalPersonWechat: '' }}
      submitText="提交创建"
      told={{
        legalPersonWechat: {
          required: !isKept,
          placeholder: isKept ? `已保存 ${masked}，不修改请留空` : '',
          hint: '法人本人的微信号，用于人脸核身，不是昵称',
        },
      }}
      refuse={typed =>
        brokenRegistrant(typed, isKept).map(({ field, code }) => ({ field, message: FORM_REFUSALS[code] }))
      }
      send={typed =>
        programFlowApi.create({ id, revision, ...typed }).catch((error: unknown) => {
          readAgain('programFlow')
          throw error
        })
      }
      onDone={async () => {
        onDone()
        await reread()
      }}
    />
  )
}
