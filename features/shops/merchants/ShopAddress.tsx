// The shop that an address names as `user_id` (D1 §2): of a page about one shop, and of its details over a list.

import { usePageSearch } from '#web/client/navigation.ts'
import { buttonLook } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { EmptyState } from '#web/form/LoadStates.tsx'

/** Null where the address names none. */
export function useShopId(): number | null {
  const [{ user_id }] = usePageSearch<'/admin/merchant/merchantDetails'>()
  const id = Number(user_id)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

/** The details over a list live in its address, so that a link, a reload and the back button keep them. */
export function useDrawer() {
  const id = useShopId()
  const [, ask] = usePageSearch<'/admin/merchant/myMerchant'>()
  return {
    id,
    open: (merchantId: number) => ask({ user_id: merchantId }),
    close: () => ask({ user_id: undefined }),
  }
}

/** In the place of a page about one shop whose address names none. */
export function NoShop({ title }: { title: string }) {
  return (
    <div className={look.page}>
      <h1 className={look.pageTitle}>{title}</h1>
      <EmptyState title="没有指定商户" role="alert">
        <p>地址中没有商户 ID，请从我的商户打开</p>
        <Link className={buttonLook('primary')} to="/admin/merchant/myMerchant">
          返回我的商户
        </Link>
      </EmptyState>
    </div>
  )
}
