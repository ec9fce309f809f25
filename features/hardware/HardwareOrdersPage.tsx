import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { agents } from '#features/agents/contract.ts'
import { PAY_METHODS } from '#features/ledger/rules.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { formatInstant } from '#kit/time.ts'
import { api } from '#web/api.ts'
import { Copyable, Instant, Money } from '#web/format.tsx'
import { type ActiveFilter, type ListColumn, ListPage } from '#web/ListPage.tsx'
import { useSession } from '#web/session.ts'
import { type ListParams, useListParams } from '#web/useListParams.ts'
import type { hardware } from './contract.ts'
import { OrderStatus } from './OrderStatus.tsx'
import { type OrderRow, useOrderSteps } from './OrderSteps.tsx'
import { DELIVERY_STATUSES, type DeliveryStatus } from './rules.ts'

const hardwareApi = api<typeof hardware>('hardware')
const agentsApi = api<typeof agents>('agents')
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
        columns={session.isVendorStaff ? [ORDER_NO, AGENT, ...COLUMNS] : [ORDER_NO, ...COLUMNS]}
        searchPlaceholder="订单号 / 联系人 / 电话"
        filters={<OrderFilters />}
        activeFilters={useActiveFilters()}
        ownParams={['orderNo']}
        openKey={open.orderNo}
        summary={totals => <Totals totals={totals} />}
        exportHref={exportAddress}
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
      <span>
        订单 <b>{formatCount(totals.total)}</b>
        {totals.totalCapped && ' 以上'}
      </span>
      <span>
        金额 <b>{formatCents(totals.sumCents)}</b> 代币
      </span>
      <span>
        其中已退货 <b>{formatCents(totals.returnedCents)}</b> 代币
      </span>
      {totals.totalCapped && <span>金额按最近 {formatCount(totals.total)} 笔合计</span>}
    </>
  )
}

/** "热敏打印机 399.00×2；…" */
function goodsOf(row: OrderRow): string {
  return row.lines
    .map(line => `${line.productName} ${formatCents(line.unitCents)}×${line.quantity}`)
    .join('；')
}

function timeColumn(key: 'createdAt' | 'shippedAt' | 'finishedAt', title: string): ListColumn<OrderRow> {
  return {
    key,
    title,
    width: 168,
    copy: row => (row[key] ? formatInstant(row[key]) : ''),
    render: row => <Instant at={row[key]} />,
    sortable: key === 'createdAt',
    card: key === 'createdAt' ? 'fact' : 'hidden',
  }
}

const ORDER_NO: ListColumn<OrderRow> = {
  key: 'orderNo',
  title: '订单号',
  width: 112,
  fixed: 'start',
  opens: true,
  copy: row => row.orderNo,
  render: row => <Copyable text={row.orderNo} shown={row.orderNo.slice(-8)} />,
  card: 'title',
}

const AGENT: ListColumn<OrderRow> = {
  key: 'agentName',
  title: '代理商',
  width: 184,
  copy: row => `${row.agentName}（${row.agentId}）`,
  render: row => `${row.agentName}（${row.agentId}）`,
  card: 'fact',
}

const COLUMNS: ListColumn<OrderRow>[] = [
  {
    key: 'deliveryStatus',
    title: '发货状态',
    width: 96,
    copy: row => DELIVERY_STATUSES[row.deliveryStatus],
    render: row => <OrderStatus status={row.deliveryStatus} />,
    card: 'fact',
  },
  {
    key: 'lines',
    title: '商品',
    width: 264,
    copy: goodsOf,
    render: goodsOf,
    card: 'fact',
  },
  {
    key: 'totalCents',
    title: '合计（代币）',
    width: 112,
    align: 'right',
    copy: row => formatCents(row.totalCents),
    render: row => <Money cents={row.totalCents} />,
    card: 'fact',
  },
  {
    key: 'contactName',
    title: '联系人',
    width: 96,
    copy: row => row.contactName,
    render: row => row.contactName,
    card: 'fact',
  },
  {
    key: 'contactPhone',
    title: '联系电话',
    width: 120,
    copy: row => row.contactPhone,
    render: row => <span className="number">{row.contactPhone}</span>,
    card: 'hidden',
  },
  {
    key: 'fullAddress',
    title: '收货地址',
    width: 240,
    copy: row => row.fullAddress,
    render: row => row.fullAddress,
    card: 'hidden',
  },
  timeColumn('createdAt', '下单时间'),
  timeColumn('shippedAt', '发货时间'),
  timeColumn('finishedAt', '完成时间'),
  {
    key: 'payMethod',
    title: '支付方式',
    width: 88,
    render: row => PAY_METHODS[row.payMethod],
    card: 'hidden',
  },
  {
    key: 'trackingNo',
    title: '物流单号',
    width: 200,
    copy: row => row.trackingNo,
    render: row => (row.trackingNo ? `${row.carrier} ${row.trackingNo}` : '—'),
    card: 'hidden',
  },
]

/** What is filtered, in words; the name is fetched only for an agent that is filtered by. */
function useActiveFilters(): ActiveFilter[] {
  const [params, setParams] = useListParams<OrderParams>()
  const { status, agentId, from, to } = params
  const found = useQuery({
    queryKey: ['agents', 'options', String(agentId)],
    queryFn: () => agentsApi.options({ search: String(agentId) }),
    enabled: agentId !== undefined,
  })
  const filters: ActiveFilter[] = []
  if (status) filters.push({ key: 'status', label: '发货状态', text: DELIVERY_STATUSES[status] ?? status })
  if (from || to)
    filters.push({
      key: 'dates',
      label: '下单时间',
      text: `${from ?? '最早'} 至 ${to ?? '今天'}`,
      onRemove: () => setParams({ from: undefined, to: undefined }),
    })
  if (agentId !== undefined) {
    const agent = found.data?.rows.find(row => row.id === agentId)
    filters.push({ key: 'agentId', label: '代理商', text: agent?.companyName ?? String(agentId) })
  }
  return filters
}

function exportAddress({ page: _page, size: _size, ...filters }: OrderParams): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  return `/api/hardware/orders.xlsx?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}`
}
