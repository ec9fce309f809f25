import { lazy, useState } from 'react'
import { api } from '#web/client/api.ts'
import { usePermission } from '#web/client/session.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
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
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      <List
        of={PRICES}
        from={priceDeskApi.prices}
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
