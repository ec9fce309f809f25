import { useQuery } from '@tanstack/react-query'
import { api } from '#web/client/api.ts'
import { useTabName } from '#web/shell/tab-name.ts'
import type { merchants } from './contract.ts'
import { MerchantDetails } from './MerchantDetails.tsx'
import styles from './merchants.module.css'
import { NoShop, useShopId } from './ShopAddress.tsx'

const merchantsApi = api<typeof merchants>('merchants')

/** The details under their own address (D1 §2). */
export default function MerchantDetailsPage() {
  const id = useShopId()
  if (id === null) return <NoShop title="商户详情" />
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
