import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { formatCents } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { api, refusalOf } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { Count, Instant, Money } from '#web/format.tsx'
import { type ListColumn, ListPage } from '#web/list/ListPage.tsx'
import { StatusTag } from '#web/StatusTag.tsx'
import { toast } from '#web/toast.ts'
import type { hardware } from './contract.ts'
import { ProductPicture } from './ProductPicture.tsx'

const hardwareApi = api<typeof hardware>('hardware')
const ProductDialog = lazy(() => import('./ProductDialog.tsx'))
const StockDialog = lazy(() => import('./StockDialog.tsx'))

export type ProductRow = Out<typeof hardware.catalogue>['rows'][number]
type Open = { what: 'add' } | { what: 'edit' | 'stock'; row: ProductRow }

/** The vendor's hardware: what it is, what it costs, how many are there, whether it is on sale. */
export default function HardwareProductsPage() {
  const [open, setOpen] = useState<Open | null>(null)
  const sale = useSaleSwitch()
  const add = (
    <Button kind="primary" onClick={() => setOpen({ what: 'add' })}>
      新增商品
    </Button>
  )
  const close = () => setOpen(null)
  return (
    <>
      <ListPage<ProductRow>
        title="硬件商品"
        listKey="hardware.catalogue"
        main={add}
        queryKey={['hardware', 'catalogue']}
        fetchPage={params => hardwareApi.catalogue(params)}
        rowKey={row => row.id}
        columns={COLUMNS}
        searchPlaceholder="商品名称 / 型号"
        emptyText="还没有硬件商品，新增后代理商可以在硬件商城订购"
        emptyAction={add}
        onOpen={row => setOpen({ what: 'edit', row })}
        rowActions={row => [
          { key: 'edit', label: '编辑', onClick: () => setOpen({ what: 'edit', row }) },
          { key: 'stock', label: '调整库存', onClick: () => setOpen({ what: 'stock', row }) },
          { key: 'sale', label: row.enabled ? '下架' : '上架', onClick: () => sale(row) },
        ]}
        actionsWidth={176}
      />
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
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (row: ProductRow) => hardwareApi.editProduct({ ...row, enabled: !row.enabled }),
    onSuccess: (_answer, row) => toast.success(row.enabled ? '已下架' : '已上架'),
    onError: error => toast.error(refusalOf(error)?.message ?? '操作失败'),
    onSettled: () => queries.invalidateQueries({ queryKey: ['hardware'] }),
  })
  return row => {
    if (!change.isPending) change.mutate(row)
  }
}

const COLUMNS: ListColumn<ProductRow>[] = [
  {
    key: 'picture',
    title: '图片',
    width: 64,
    fixed: 'start',
    render: row => <ProductPicture pictureId={row.pictureId} name={row.name} small />,
  },
  {
    key: 'name',
    title: '商品名称',
    width: 208,
    opens: true,
    copy: row => row.name,
    render: row => row.name,
    card: 'title',
  },
  {
    key: 'model',
    title: '型号',
    width: 128,
    copy: row => row.model,
    render: row => row.model || '—',
    card: 'fact',
  },
  {
    key: 'unitCents',
    title: '价格（代币）',
    width: 120,
    align: 'right',
    copy: row => formatCents(row.unitCents),
    render: row => <Money cents={row.unitCents} />,
    card: 'fact',
  },
  {
    key: 'stock',
    title: '库存',
    width: 88,
    align: 'right',
    copy: row => String(row.stock),
    render: row =>
      row.stock === 0 ? <StatusTag tone="attention">缺货</StatusTag> : <Count value={row.stock} />,
    card: 'fact',
  },
  {
    key: 'enabled',
    title: '状态',
    width: 88,
    render: row =>
      row.enabled ? <StatusTag tone="done">在售</StatusTag> : <StatusTag tone="neutral">已下架</StatusTag>,
    card: 'fact',
  },
  { key: 'position', title: '排序', width: 72, align: 'right', render: row => row.position },
  {
    key: 'description',
    title: '商品说明',
    width: 264,
    copy: row => row.description,
    render: row => row.description || '—',
  },
  { key: 'createdAt', title: '创建时间', width: 168, render: row => <Instant at={row.createdAt} /> },
]
