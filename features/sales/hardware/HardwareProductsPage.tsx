import { useMutation } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import { api, refusalOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { Count } from '#web/controls/format.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { List } from '#web/list/List.tsx'
import type { hardware, ProductRow } from './contract.ts'
import { CATALOGUE } from './fields.ts'
import { ProductPicture } from './ProductPicture.tsx'

const hardwareApi = api<typeof hardware>('hardware')
const ProductDialog = lazy(() => import('./ProductDialog.tsx'))
const StockDialog = lazy(() => import('./StockDialog.tsx'))

type Open = { what: 'add' } | { what: 'edit' | 'stock'; row: ProductRow }

/** The vendor's hardware: what it is, what it costs, how many are there, whether it is on sale. */
export default function HardwareProductsPage() {
  const [open, setOpen] = useState<Open | null>(null)
  const sale = useSaleSwitch()
  const history = useHistory()
  const add = (
    <Button kind="primary" onClick={() => setOpen({ what: 'add' })}>
      新增商品
    </Button>
  )
  const close = () => setOpen(null)
  return (
    <>
      <List
        of={CATALOGUE}
        from={hardwareApi.catalogue}
        cells={CELLS}
        main={add}
        emptyAction={add}
        onOpen={row => setOpen({ what: 'edit', row })}
        rowActions={row => [
          { key: 'edit', label: '编辑', onClick: () => setOpen({ what: 'edit', row }) },
          { key: 'stock', label: '调整库存', onClick: () => setOpen({ what: 'stock', row }) },
          { key: 'sale', label: row.enabled ? '下架' : '上架', onClick: () => sale(row) },
          ...history.actionsOf({ kind: 'product', id: row.id, name: row.name }),
        ]}
        actionsWidth={176}
      />
      {history.drawer}
      {open && (
        <Suspense>
          {open.what === 'stock' ? (
            <StockDialog product={open.row} onClose={close} />
          ) : (
            <ProductDialog product={open.what === 'edit' ? open.row : null} onClose={close} />
          )}
        </Suspense>
      )}
    </>
  )
}

/** On sale or not is undone by the same press, so it is not asked for. */
function useSaleSwitch(): (row: ProductRow) => void {
  const change = useMutation({
    mutationFn: (row: ProductRow) => hardwareApi.editProduct({ ...row, enabled: !row.enabled }),
    onSuccess: (_answer, row) => toast.success(row.enabled ? '已下架' : '已上架'),
    onError: error => toast.error(refusalOf(error)?.message ?? '操作失败'),
    onSettled: (_answer, error) => (error ? readAgain('hardware') : reread()),
  })
  return row => {
    if (!change.isPending) change.mutate(row)
  }
}

const CELLS = {
  picture: (row: ProductRow) => <ProductPicture pictureId={row.pictureId} name={row.name} small />,
  stock: ({ stock }: ProductRow) =>
    stock === 0 ? <StatusTag tone="attention">缺货</StatusTag> : <Count value={stock} />,
  enabled: ({ enabled }: ProductRow) => (enabled ? '在售' : <StatusTag tone="neutral">已下架</StatusTag>),
}
