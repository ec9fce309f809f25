import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import styles from './applications.module.css'
import type { ApplicationData } from './programApplicationsApi.tsx'

type Props = {
  data: Pick<ApplicationData, 'shopName' | 'merchantId' | 'account' | 'agentName'>
  /** Absent: it is about this shop alone. */
  onOther?: () => void
}

/** Whose application it is. */
export function ShopHead({ data, onOther }: Props) {
  return (
    <div className={styles.shop}>
      <span>
        <b>{data.shopName}</b>（{data.merchantId}）
      </span>
      <span className={look.quiet}>
        软件账号 {data.account} · {data.agentName}
      </span>
      {onOther && (
        <Button kind="link" onClick={onOther}>
          换一家店铺
        </Button>
      )}
    </div>
  )
}
