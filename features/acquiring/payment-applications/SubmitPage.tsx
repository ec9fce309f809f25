import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FindShop } from '#features/shops/merchants/FindShop.tsx'
import { idAsked, usePageSearch } from '#web/client/navigation.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { ApplicationFacts, Reasons } from './ApplicationFacts.tsx'
import styles from './applications.module.css'
import { applicationsApi } from './applicationsApi.tsx'
import { FORM_REFUSALS } from './rules.ts'
import SubmitForm from './SubmitForm.tsx'
import { OwnerInvitation, ServiceSection } from './slots.tsx'

/** D2 §2 19: a shop's application for payments. `?user_id=` in its address names the shop. */
export default function SubmitPage() {
  const [{ user_id: asked }, ask] = usePageSearch<'/admin/schedule/submitPayment'>()
  const merchantId = idAsked(asked)
  return (
    <article className={`${look.page} ${styles.submit}`}>
      <h1 className={look.pageTitle}>提交支付资料</h1>
      <p className={look.quiet}>
        填写店铺的收款账户并上传资料，审核通过后由支付服务受理。图片请完整、清晰、光线均匀，证件须为法定代表人（经营者）本人所有；无法上传时请联系客服协助。
      </p>
      {merchantId !== null ? (
        <OfShop key={merchantId} merchantId={merchantId} onOther={() => ask({ user_id: undefined })} />
      ) : (
        <FindShop
          find={applicationsApi.find}
          missing={FORM_REFUSALS.ACCOUNT_REQUIRED}
          onFound={id => ask({ user_id: id })}
        />
      )}
    </article>
  )
}

function OfShop({ merchantId, onOther }: { merchantId: number; onOther: () => void }) {
  /** Counts what was taken over into the application from here: the form begins anew with it. */
  const [taken, setTaken] = useState(0)
  const data = useQuery({
    ...applicationsApi.ofShop.query({ merchantId }),
    // What is typed is not to be changed under one's hands.
    refetchOnWindowFocus: false,
  })
  if (data.isError && !data.data)
    return <LoadFailure error={data.error} onRetry={() => void data.refetch()} />
  if (!data.data) return <LoadingLines lines={10} />
  const { id, state, shopName, account, agentName, editRefusal } = data.data
  const service = id !== null && state !== 'draft' && (
    <Permit permission="paymentApplications.list">
      <ServiceSection id={id} />
    </Permit>
  )
  return (
    <>
      <div className={styles.shop}>
        <span>
          <b>{shopName}</b>（{merchantId}）
        </span>
        <span className={look.quiet}>
          软件账号 {account} · {agentName}
        </span>
        <Button kind="link" onClick={onOther}>
          换一家店铺
        </Button>
        <OwnerInvitation merchantId={merchantId} onTaken={() => setTaken(taken + 1)} />
      </div>
      {editRefusal === null ? (
        <SubmitForm key={taken} data={data.data}>
          {service}
        </SubmitForm>
      ) : (
        <>
          {service}
          <p role="status" className={styles.note}>
            {editRefusal}
          </p>
          <Reasons data={data.data} />
          <ApplicationFacts data={data.data} />
        </>
      )}
    </>
  )
}
