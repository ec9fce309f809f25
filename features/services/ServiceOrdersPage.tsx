import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { PAY_METHODS } from '#features/ledger/rules.ts'
import { SHOPS_CAPPED_TEXT } from '#features/orders/rules.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { formatInstant } from '#kit/time.ts'
import { api } from '#web/api.ts'
import { Instant, Money } from '#web/format.tsx'
import { type ActiveFilter, type ListColumn, ListPage } from '#web/ListPage.tsx'
import { StatusTag } from '#web/StatusTag.tsx'
import { usePermission, useSession } from '#web/session.ts'
import { type ListParams, useListParams } from '#web/useListParams.ts'
import type { services } from './contract.ts'
import { exportAddress, type Numbered, numbered, undoAction, useFiltersInWords } from './orderActions.tsx'
import { agentColumn, indexColumn, orderNoColumn } from './orderColumns.tsx'
import { SERVICE_ORDER_STATES, SERVICE_UNITS, type ServiceOrderState } from './rules.ts'
import './services.css'

const servicesApi = api<typeof services>('services')
const ServiceOrderFilters = lazy(() => import('./ServiceOrderFilters.tsx'))
const UndoDialog = lazy(() => import('#features/settlement/UndoDialog.tsx'))

type Answered = Out<typeof services.orders>
type Row = Numbered<Answered['rows'][number]>
type Answer = Omit<Answered, 'rows'> & { rows: Row[] }

export type OrderParams = ListParams & {
  state?: ServiceOrderState
  serviceId?: number
  from?: string
  to?: string
  agentId?: number
}

/** Orders of value-added services (D2 §2, screen 14): what they come to, and their undo. */
export default function ServiceOrdersPage() {
  const session = useSession()
  const mayUndo = usePermission('settlement.undo')
  const queries = useQueryClient()
  const [undoing, setUndoing] = useState<string | null>(null)
  return (
    <>
      <ListPage<Row, OrderParams, Answer>
        title="增值订单"
        listKey="services.orders"
        queryKey={['services', 'orders']}
        fetchPage={async params => numbered(await servicesApi.orders(params), params)}
        rowKey={row => row.id}
        columns={session.isVendorStaff ? [...COLUMNS, agentColumn()] : COLUMNS}
        searchPlaceholder="商户ID / 订单号 / 服务类型 / 店铺名称"
        filters={<ServiceOrderFilters />}
        activeFilters={useActiveFilters()}
        summary={totals => <Totals totals={totals} />}
        exportHref={params => exportAddress('/api/services/orders.xlsx', params)}
        exportPermission="services.export"
        emptyText="还没有增值订单，在我的商户中为商户购买增值服务后会显示在这里"
        actionsWidth={72}
        rowActions={mayUndo ? row => [undoAction(undoable(row), () => setUndoing(row.orderNo))] : undefined}
      />
      {undoing !== null && (
        <Suspense>
          <UndoDialog
            kind="service"
            orderNo={undoing}
            onClose={() => setUndoing(null)}
            onDone={() => void queries.invalidateQueries({ queryKey: ['services'] })}
          />
        </Suspense>
      )}
    </>
  )
}

function undoable(row: Row) {
  return { isPaid: row.state !== 'unfinished', isUndone: row.state === 'recalled', paidAt: row.paidAt }
}

function Totals({ totals }: { totals: Answer }) {
  return (
    <>
      <span>
        总金额 <b>{formatCents(totals.totalCents)}</b> 代币
      </span>
      {totals.recalledCents > 0 && (
        <span>
          其中已撤回 <b>{formatCents(totals.recalledCents)}</b> 代币
        </span>
      )}
      <span>
        笔数 <b>{formatCount(totals.total)}</b>
        {totals.totalCapped && ' 以上'}
      </span>
      {totals.totalCapped && <span>总金额按最近 {formatCount(totals.total)} 笔合计</span>}
      {totals.shopsCapped && <span>{SHOPS_CAPPED_TEXT}</span>}
    </>
  )
}

const COLUMNS: ListColumn<Row>[] = [
  orderNoColumn(),
  indexColumn(),
  {
    key: 'merchantId',
    title: '商户ID',
    width: 88,
    copy: row => String(row.merchantId),
    render: row => <span className="number">{row.merchantId}</span>,
    card: 'fact',
  },
  {
    key: 'shopName',
    title: '店铺名称',
    width: 156,
    copy: row => row.shopName ?? '',
    render: row => row.shopName ?? <span className="quiet-text">已转至其他服务商</span>,
    card: 'title',
  },
  {
    key: 'serviceName',
    title: '服务类型',
    width: 112,
    copy: row => row.serviceName,
    render: row => row.serviceName,
    card: 'fact',
  },
  {
    key: 'unitCents',
    title: '单价（代币）',
    width: 96,
    align: 'right',
    copy: row => formatCents(row.unitCents),
    render: row => <Money cents={row.unitCents} />,
    card: 'hidden',
  },
  {
    key: 'quantity',
    title: '数量',
    width: 64,
    align: 'right',
    render: row => `${formatCount(row.quantity)} ${SERVICE_UNITS[row.unit]}`,
    card: 'fact',
  },
  {
    key: 'totalCents',
    title: '总代币',
    width: 92,
    align: 'right',
    copy: row => formatCents(row.totalCents),
    render: row => <Money cents={row.totalCents} />,
    card: 'fact',
  },
  {
    key: 'paidAt',
    title: '支付时间',
    width: 160,
    copy: row => (row.paidAt === null ? '' : formatInstant(row.paidAt)),
    render: row => <Instant at={row.paidAt} />,
    card: 'fact',
  },
  {
    key: 'payMethod',
    title: '支付方式',
    width: 76,
    render: row => PAY_METHODS[row.payMethod],
    card: 'hidden',
  },
  {
    key: 'state',
    title: '支付状态',
    width: 88,
    render: row =>
      row.state === 'completed' ? (
        <StatusTag tone="done">{SERVICE_ORDER_STATES[row.state]}</StatusTag>
      ) : (
        <span className="service-order-state" data-open>
          {SERVICE_ORDER_STATES[row.state]}
        </span>
      ),
    card: 'fact',
  },
  {
    key: 'createdByName',
    title: '操作人',
    width: 88,
    copy: row => row.createdByName,
    render: row => row.createdByName,
    card: 'hidden',
  },
  {
    key: 'remark',
    title: '备注',
    width: 168,
    copy: row => row.remark,
    render: row => row.remark || '—',
    card: 'hidden',
  },
]

/** What is filtered, in words. */
function useActiveFilters(): ActiveFilter[] {
  const [params, setParams] = useListParams<OrderParams>()
  const { state, serviceId } = params
  const words = useFiltersInWords(params, () => setParams({ from: undefined, to: undefined }))
  const options = useQuery({
    queryKey: ['services', 'options'],
    queryFn: () => servicesApi.options(),
    enabled: serviceId !== undefined,
  })
  const filters: ActiveFilter[] = []
  if (state) filters.push({ key: 'state', label: '支付状态', text: SERVICE_ORDER_STATES[state] ?? state })
  if (serviceId !== undefined) {
    const service = options.data?.rows.find(row => row.id === serviceId)
    filters.push({ key: 'serviceId', label: '服务类型', text: service?.name ?? String(serviceId) })
  }
  return [...filters, ...words.days, ...words.agent]
}
