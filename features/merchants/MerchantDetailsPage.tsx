import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { api } from '#web/api.ts'
import { buttonLook } from '#web/Button.tsx'
import { useTabName } from '#web/shell/tab-name.ts'
import type { merchants } from './contract.ts'
import { MerchantDetails } from './MerchantDetails.tsx'
import styles from './merchants.module.css'

const merchantsApi = api<typeof merchants>('merchants')

/** The details under their own address (D1 §2: query user_id). */
export default function MerchantDetailsPage() {
  const { user_id } = useSearch({ strict: false }) as { user_id?: number | string }
  const id = Number(user_id)
  if (!Number.isSafeInteger(id) || id < 1)
    return (
      <div className={styles.merchantPage}>
        <h1 className={styles.merchantPageTitle}>商户详情</h1>
        <p role="alert">地址中没有商户 ID，请从我的商户打开</p>
        <Link className={`${buttonLook()} ${styles.merchantPageBack}`} to="/admin/merchant/myMerchant">
          返回我的商户
        </Link>
      </div>
    )
  return (
    <div className={styles.merchantPage}>
      <h1 className={styles.merchantPageTitle}>商户详情</h1>
      <MerchantDetails key={id} id={id} />
      <TabName key={`name-${id}`} id={id} />
    </div>
  )
}

function TabName({ id }: { id: number }) {
  useTabName(useQuery(merchantsApi.details.query({ id })).data?.shopName)
  return null
}
