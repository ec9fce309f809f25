import { lazy, useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { formatInstant } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import type { priceDesk } from './contract.ts'
import { DISCOUNTS } from './fields.ts'
import styles from './price-desk.module.css'
import { useWithdraw, withdrawAction } from './useWithdraw.tsx'

const priceDeskApi = api<typeof priceDesk>('priceDesk')
const DiscountDialog = lazy(() => import('./DiscountDialog.tsx'))
const LevelDialog = lazy(() => import('./LevelDialog.tsx'))

type Row = Out<typeof priceDesk.discounts>['rows'][number]

/** What levels and agents pay of the list prices, now, later and before. */
export default function DiscountsPage() {
  const maySet = usePermission('priceDesk.setDiscount')
  const [open, setOpen] = useState<'discount' | 'level' | null>(null)
  const withdraw = useWithdraw(priceDeskApi.withdrawDiscount)
  const ask = (row: Row) => {
    const text = `${row.whomName} 自 ${formatInstant(row.startsAt)} 起的 ${row.share} 将不再生效。`
    void withdraw(row, { title: '撤回这个折扣？', text })
  }
  return (
    <>
      <List
        of={DISCOUNTS}
        from={priceDeskApi.discounts}
        main={
          maySet && (
            <span className={styles.main}>
              <Button onClick={() => setOpen('level')}>编辑等级</Button>
              <Button kind="primary" onClick={() => setOpen('discount')}>
                设置折扣
              </Button>
            </span>
          )
        }
        rowActions={maySet ? row => [withdrawAction(row.discountState, () => ask(row))] : undefined}
        actionsWidth={80}
      />
      <Suspense>
        {open === 'discount' && <DiscountDialog onClose={() => setOpen(null)} />}
        {open === 'level' && <LevelDialog onClose={() => setOpen(null)} />}
      </Suspense>
    </>
  )
}
