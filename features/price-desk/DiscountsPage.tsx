import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Out } from '#kit/op.ts'
import { formatInstant } from '#kit/time.ts'
import { api, messageOf } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { confirm } from '#web/confirm.ts'
import { List } from '#web/list/List.tsx'
import { reread } from '#web/reread.ts'
import { usePermission } from '#web/session.ts'
import { toast } from '#web/toast.ts'
import type { priceDesk } from './contract.ts'
import { DISCOUNTS } from './fields.ts'
import styles from './price-desk.module.css'
import { PRICE_REFUSALS } from './rules.ts'

const priceDeskApi = api<typeof priceDesk>('priceDesk')
const DiscountDialog = lazy(() => import('./DiscountDialog.tsx'))
const LevelDialog = lazy(() => import('./LevelDialog.tsx'))

type Row = Out<typeof priceDesk.discounts>['rows'][number]

/** What levels and agents pay of the list prices, now, later and before. */
export default function DiscountsPage() {
  const maySet = usePermission('priceDesk.setDiscount')
  const [open, setOpen] = useState<'discount' | 'level' | null>(null)
  const withdrawing = useMutation({
    mutationFn: ({ id }: Row) => priceDeskApi.withdrawDiscount({ id }),
    onSuccess: () => toast.success('已撤回'),
    onError: error => toast.error(messageOf(error)),
    onSettled: () => reread(),
  })
  const withdraw = async (row: Row) => {
    const text = `${row.whomName} 自 ${formatInstant(row.startsAt)} 起的 ${row.share} 将不再生效。`
    if (await confirm({ title: '撤回这个折扣？', text, confirmText: '撤回', danger: true }))
      withdrawing.mutate(row)
  }
  return (
    <>
      <List
        of={DISCOUNTS}
        from={priceDeskApi.discounts}
        main={
          maySet && (
            <span className={styles.main}>
              <Button onClick={() => setOpen('level')}>等级</Button>
              <Button kind="primary" onClick={() => setOpen('discount')}>
                设置折扣
              </Button>
            </span>
          )
        }
        rowActions={
          maySet
            ? row => [
                {
                  key: 'withdraw',
                  label: '撤回',
                  danger: true,
                  disabled:
                    row.discountState === 'coming'
                      ? undefined
                      : row.discountState === 'withdrawn'
                        ? PRICE_REFUSALS.IS_WITHDRAWN
                        : PRICE_REFUSALS.HAS_BEGUN,
                  onClick: () => void withdraw(row),
                },
              ]
            : undefined
        }
        actionsWidth={80}
      />
      <Suspense>
        {open === 'discount' && <DiscountDialog onClose={() => setOpen(null)} />}
        {open === 'level' && <LevelDialog onClose={() => setOpen(null)} />}
      </Suspense>
    </>
  )
}
