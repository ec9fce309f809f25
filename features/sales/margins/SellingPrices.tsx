import { lazy, useState } from 'react'
import { api } from '#web/client/api.ts'
import { usePermission } from '#web/client/session.ts'
import { Button, buttonLook } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import type { margins, SellingPriceRow } from './contract.ts'
import { SELLING_PRICES } from './fields.ts'
import styles from './margins.module.css'

const marginsApi = api<typeof margins>('margins')
const PriceDialog = lazy(() => import('./PriceDialog.tsx'))

/** An agent's own prices as they stand. */
export default function SellingPrices() {
  const maySet = usePermission('margins.set')
  const [editing, setEditing] = useState<SellingPriceRow | 'new' | null>(null)
  return (
    <>
      <List
        of={SELLING_PRICES}
        from={marginsApi.prices}
        cells={CELLS}
        main={
          <span className={styles.main}>
            <Link to="/admin/detail/margins" className={buttonLook()}>
              返回毛利明细
            </Link>
            {maySet && (
              <Button kind="primary" onClick={() => setEditing('new')}>
                设置售价
              </Button>
            )}
          </span>
        }
        actionsWidth={72}
        rowActions={
          maySet ? row => [{ key: 'edit', label: '修改', onClick: () => setEditing(row) }] : undefined
        }
      />
      {editing !== null && (
        <Suspense>
          <PriceDialog row={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
        </Suspense>
      )}
    </>
  )
}

const shopOf = ({ merchantId, shopName }: SellingPriceRow) =>
  merchantId === null ? '所有商户' : (shopName ?? '—')
const CELLS = { shopName: shopOf }
