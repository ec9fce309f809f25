import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { useUndo } from '#features/settlement/useUndo.tsx'
import { formatCents, formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { api } from '#web/api.ts'
import { type ActiveFilter, type ListColumn, ListPage } from '#web/list/ListPage.tsx'
import { moneyColumn, textColumn, timeColumn } from '#web/list/listColumns.tsx'
import { type ListParams, useListParams } from '#web/list/useListParams.ts'
import { StatusTag } from '#web/StatusTag.tsx'
import { useSession } from '#web/session.ts'
import type { services } from './contract.ts'
import { CappedNotes, RowCount, Sum } from './OrderTotals.tsx'
import {
  exportAddress,
  type Numbered,
  nameFilter,
  numbered,
  useFiltersInWords,
  wordFilter,
} from './orderActions.tsx'
import {
  agentColumn,
  indexColumn,
  merchantIdColumn,
  orderNoColumn,
  payMethodColumn,
  shopNameColumn,
} from './orderColumns.tsx'
import { SERVICE_ORDER_STATES, SERVICE_UNITS, type ServiceOrderState } from './rules.ts'
import styles from './services.module.css'

const servicesApi = api<typeof services>('services')
const ServiceOrderFilters = lazy(() => import('./ServiceOrderFilters.tsx'))

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
  const undo = useUndo('service')
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
        rowActions={undo.rowActions}
      />
      {undo.dialog}
    </>
  )
}

function Totals({ totals }: { totals: Answer }) {
  return (
    <>
      <Sum label="总金额" value={formatCents(totals.totalCents)} unit="代币" />
      {totals.recalledCents > 0 && (
        <Sum label="其中已撤回" value={formatCents(totals.recalledCents)} unit="代币" />
      )}
      <RowCount totals={totals} />
      <CappedNotes totals={totals} summed="总金额" />
    </>
  )
}

const COLUMNS: ListColumn<Row>[] = [
  orderNoColumn(),
  indexColumn(),
  merchantIdColumn({ card: 'fact' }),
  shopNameColumn(128),
  textColumn('serviceName', '服务类型', { width: 100, card: 'fact' }),
  moneyColumn('unitCents', '单价（代币）', { width: 88 }),
  {
    key: 'quantity',
    title: '数量',
    width: 56,
    align: 'right',
    render: row => `${formatCount(row.quantity)} ${SERVICE_UNITS[row.unit]}`,
    card: 'fact',
  },
  moneyColumn('totalCents', '总代币', { width: 84, card: 'fact' }),
  timeColumn('paidAt', '支付时间', { width: 148, card: 'fact' }),
  payMethodColumn(),
  {
    key: 'state',
    title: '支付状态',
    width: 88,
    render: row =>
      row.state === 'completed' ? (
        <StatusTag tone="done">{SERVICE_ORDER_STATES[row.state]}</StatusTag>
      ) : (
        <span className={styles.serviceOrderState}>{SERVICE_ORDER_STATES[row.state]}</span>
      ),
    card: 'fact',
  },
  textColumn('createdByName', '操作人', { width: 72 }),
  textColumn('remark', '备注', { width: 88 }),
]

/** What is filtered, in words. */
function useActiveFilters(): ActiveFilter[] {
  const [params, setParams] = useListParams<OrderParams>()
  const words = useFiltersInWords(params, () => setParams({ from: undefined, to: undefined }))
  const options = useQuery({ ...servicesApi.options.query(), enabled: params.serviceId !== undefined })
  return [
    ...wordFilter('state', '支付状态', SERVICE_ORDER_STATES, params.state),
    ...nameFilter('serviceId', '服务类型', options.data?.rows, params.serviceId),
    ...words.days,
    ...words.agent,
  ]
}
