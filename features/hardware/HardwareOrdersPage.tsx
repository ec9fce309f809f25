import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { CappedNotes, RowCount, Sum } from '#features/services/OrderTotals.tsx'
import { exportAddress, useFiltersInWords, wordFilter } from '#features/services/orderActions.tsx'
import {
  agentColumn,
  numberColumn,
  orderNoColumn,
  payMethodColumn,
} from '#features/services/orderColumns.tsx'
import { formatCents } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { api } from '#web/api.ts'
import { type ActiveFilter, type ListColumn, ListPage } from '#web/list/ListPage.tsx'
import { moneyColumn, textColumn, timeColumn } from '#web/list/listColumns.tsx'
import { type ListParams, useListParams } from '#web/list/useListParams.ts'
import { useSession } from '#web/session.ts'
import type { hardware } from './contract.ts'
import { OrderStatus } from './OrderStatus.tsx'
import { type OrderRow, useOrderSteps } from './OrderSteps.tsx'
import { DELIVERY_STATUSES, type DeliveryStatus } from './rules.ts'

const hardwareApi = api<typeof hardware>('hardware')
const OrderFilters = lazy(() => import('./OrderFilters.tsx'))
const OrderDialog = lazy(() => import('./OrderDialog.tsx'))

type Answer = Out<typeof hardware.orders>

export type OrderParams = ListParams & {
  status?: DeliveryStatus
  sort?: 'createdAt'
  agentId?: number
  from?: string
  to?: string
}

/** Hardware orders with shipping (D2 §2 screen 13). `?orderNo=` in its address opens the order over the list. */
export default function HardwareOrdersPage() {
  const session = useSession()
  const open = useOpenOrder()
  const steps = useOrderSteps()
  return (
    <>
      <ListPage<OrderRow, OrderParams, Answer>
        title="硬件订单"
        listKey="hardware.orders"
        queryKey={['hardware', 'orders']}
        fetchPage={params => hardwareApi.orders(params)}
        rowKey={row => row.orderNo}
        columns={
          session.isVendorStaff ? [ORDER_NO, agentColumn({ width: 312 }), ...COLUMNS] : [ORDER_NO, ...COLUMNS]
        }
        searchPlaceholder="订单号 / 联系人 / 电话"
        filters={<OrderFilters />}
        activeFilters={useActiveFilters()}
        ownParams={['orderNo']}
        openKey={open.orderNo}
        summary={totals => <Totals totals={totals} />}
        exportHref={params => exportAddress('/api/hardware/orders.xlsx', params)}
        exportPermission="hardware.export"
        emptyText="还没有硬件订单，在硬件商城下单后会显示在这里"
        onOpen={row => open.show(row.orderNo)}
        rowActions={row => [
          { key: 'details', label: '详情', onClick: () => open.show(row.orderNo) },
          ...steps.actionsOf(row),
        ]}
        actionsWidth={session.isVendorStaff ? 144 : 208}
      />
      {open.orderNo !== null && !steps.dialogs && (
        <Suspense>
          <OrderDialog
            key={open.orderNo}
            orderNo={open.orderNo}
            actionsOf={steps.actionsOf}
            onClose={open.close}
          />
        </Suspense>
      )}
      {steps.dialogs}
    </>
  )
}

/** The open order lives in the address, so that a link, a reload and the back button keep it. */
function useOpenOrder() {
  const navigate = useNavigate()
  const { orderNo } = useSearch({ strict: false }) as { orderNo?: string }
  const go = (next: string | undefined) =>
    void navigate({
      to: '.',
      resetScroll: false,
      search: (search: object) => ({ ...search, orderNo: next }),
    } as never)
  return { orderNo: orderNo ?? null, show: (wanted: string) => go(wanted), close: () => go(undefined) }
}

function Totals({ totals }: { totals: Answer }) {
  return (
    <>
      <RowCount totals={totals} label="订单" />
      <Sum label="金额" value={formatCents(totals.sumCents)} unit="代币" />
      <Sum label="其中已退货" value={formatCents(totals.returnedCents)} unit="代币" />
      <CappedNotes totals={totals} summed="金额" />
    </>
  )
}

/** "热敏打印机 399.00×2；…" */
function goodsOf(row: OrderRow): string {
  return row.lines
    .map(line => `${line.productName} ${formatCents(line.unitCents)}×${line.quantity}`)
    .join('；')
}

const ORDER_NO: ListColumn<OrderRow> = orderNoColumn({ opens: true, card: 'title' })

const COLUMNS: ListColumn<OrderRow>[] = [
  {
    key: 'deliveryStatus',
    title: '发货状态',
    width: 88,
    copy: row => DELIVERY_STATUSES[row.deliveryStatus],
    render: row => <OrderStatus status={row.deliveryStatus} />,
    card: 'fact',
  },
  { key: 'lines', title: '商品', width: 276, copy: goodsOf, render: goodsOf, card: 'fact' },
  moneyColumn('totalCents', '合计（代币）', { width: 104, card: 'fact' }),
  textColumn('contactName', '联系人', { width: 88, card: 'fact' }),
  numberColumn('contactPhone', '联系电话', { width: 112 }),
  textColumn('fullAddress', '收货地址', { width: 240 }),
  timeColumn('createdAt', '下单时间', { width: 160, sortable: true, card: 'fact' }),
  timeColumn('shippedAt', '发货时间', { width: 160 }),
  timeColumn('finishedAt', '完成时间', { width: 160 }),
  payMethodColumn(),
  {
    ...textColumn('trackingNo', '物流单号', { width: 200 }),
    render: row => (row.trackingNo ? `${row.carrier} ${row.trackingNo}` : '—'),
  },
]

/** What is filtered, in words. */
function useActiveFilters(): ActiveFilter[] {
  const [params, setParams] = useListParams<OrderParams>()
  const clearDays = () => setParams({ from: undefined, to: undefined })
  const words = useFiltersInWords(params, clearDays, '下单时间')
  return [
    ...wordFilter('status', '发货状态', DELIVERY_STATUSES, params.status),
    ...words.days,
    ...words.agent,
  ]
}
