import { useMutation } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { api, messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { usePermission, useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { List } from '#web/list/List.tsx'
import type { PriceRow, priceDesk } from './contract.ts'
import { PRICES } from './fields.ts'

const priceDeskApi = api<typeof priceDesk>('priceDesk')
const SetPriceDialog = lazy(() => import('./SetPriceDialog.tsx'))
const HistoryDrawer = lazy(() => import('./HistoryDrawer.tsx'))

type Open = { what: 'list' | 'minimum' | 'history'; row: PriceRow }

/** What every item of every book costs, now and next, and what at least. */
export default function PricesPage() {
  const maySet = usePermission('priceDesk.setPrice')
  const { examplePrices } = useSession()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      <List
        of={PRICES}
        from={priceDeskApi.prices}
        main={maySet && examplePrices && <Reviewed />}
        onOpen={row => setOpen({ what: 'history', row })}
        rowActions={row => [
          { key: 'history', label: '历史', reads: true, onClick: () => setOpen({ what: 'history', row }) },
          ...(maySet
            ? [
                { key: 'set', label: '调价', onClick: () => setOpen({ what: 'list', row }) },
                { key: 'minimum', label: '最低价', onClick: () => setOpen({ what: 'minimum', row }) },
              ]
            : []),
        ]}
        actionsWidth={maySet ? 176 : 80}
      />
      <Suspense>
        {open?.what === 'history' && <HistoryDrawer row={open.row} onClose={close} />}
        {(open?.what === 'list' || open?.what === 'minimum') && (
          <SetPriceDialog row={open.row} kind={open.what} onClose={close} />
        )}
      </Suspense>
    </>
  )
}

/** Prices of a fresh office are examples until somebody says that these are its own. */
function Reviewed() {
  const review = useMutation({
    mutationFn: () => priceDeskApi.review(),
    onSuccess: async () => {
      toast.success('已确认，合作伙伴看到的不再是示例价格')
      await reread()
    },
    onError: error => toast.error(messageOf(error)),
  })
  const ask = async () => {
    const sure = await confirm({
      title: '价格和等级折扣都核对过了？',
      text: '现在的价格是随系统带来的示例，合作伙伴的页面上标着「示例价格」。确认后按列表中的价格和各等级的折扣销售，以后可以随时调价。',
      confirmText: '确认价格',
    })
    if (sure) review.mutate()
  }
  return (
    <Button kind="primary" busy={review.isPending} onClick={() => void ask()}>
      确认价格
    </Button>
  )
}
