import { useQuery } from '@tanstack/react-query'
import { FindShop } from '#features/shops/merchants/FindShop.tsx'
import { idAsked, usePageSearch } from '#web/client/navigation.ts'
import { look } from '#web/controls/look.ts'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { ApplicationFacts, Reason } from './ApplicationFacts.tsx'
import styles from './applications.module.css'
import { programApplicationsApi } from './programApplicationsApi.tsx'
import RegistrationForm from './RegistrationForm.tsx'
import { FORM_REFUSALS } from './rules.ts'
import { ShopHead } from './ShopHead.tsx'

/** D2 §2 17: the data of a shop's mini program. `?user_id=` in its address names the shop. */
export default function RegistrationPage() {
  const [{ user_id: asked }, ask] = usePageSearch<'/admin/schedule/creationApplet'>()
  const merchantId = idAsked(asked)
  return (
    <article className={`${look.page} ${styles.form}`}>
      <h1 className={look.pageTitle}>创建小程序</h1>
      <p className={look.quiet}>
        填写小程序资料并提交，审核通过后为店铺注册微信小程序。执照、证件须为企业法人本人所有，图片请完整、清晰。
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
  const data = useQuery({
    ...programApplicationsApi.ofShop.query({ merchantId }),
    // What is typed is not to be changed under one's hands.
    refetchOnWindowFocus: false,
  })
  if (data.isError && !data.data)
    return <LoadFailure error={data.error} onRetry={() => void data.refetch()} />
  if (!data.data) return <LoadingLines lines={10} />
  const { editRefusal } = data.data
  return (
    <>
      <ShopHead data={data.data} onOther={onOther} />
      {editRefusal === null ? (
        <RegistrationForm data={data.data} />
      ) : (
        <>
          <p role="status" className={styles.note}>
            {editRefusal}
          </p>
          <Reason data={data.data} />
          <ApplicationFacts data={data.data} />
        </>
      )}
    </>
  )
}
