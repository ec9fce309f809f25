import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { SALES_TYPES, type SalesType } from '#features/orders/rules.ts'
import { CappedNotes, RowCount, Sum } from '#features/services/OrderTotals.tsx'
import { exportAddress, useFiltersInWords, wordFilter } from '#features/services/orderActions.tsx'
import { agentColumn } from '#features/services/orderColumns.tsx'
import { formatCents, formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { type ActiveFilter, ListPage } from '#web/list/ListPage.tsx'
import { type ListParams, useListParams } from '#web/list/useListParams.ts'
import { useSession } from '#web/session.ts'
import { type Bill, COLUMNS } from './billColumns.tsx'
import type { settlement } from './contract.ts'
import { BILL_STATUSES, type BillStatus } from './rules.ts'
import { UndoRequests } from './UndoRequests.tsx'
import { useUndo } from './useUndo.tsx'

const settlementApi = api<typeof settlement>('settlement')
const BillFilters = lazy(() => import('./BillFilters.tsx'))

type Answer = Out<typeof settlement.bills>

export type BillParams = ListParams & {
  salesType?: SalesType
  status?: BillStatus
  paidFrom?: string
  paidTo?: string
  agentId?: number
  /** 'requests': the requests to undo instead of the bills. */
  view?: string
}

/** Billing details (D3 §2): what was sold, for how much, and its undo. `?view=requests` shows what waits for approval. */
export default function BillingDetailsPage() {
  const [{ view }] = useListParams<BillParams>()
  return view === 'requests' ? <UndoRequests /> : <Bills />
}

function Bills() {
  const session = useSession()
  const undo = useUndo('version')
  return (
    <>
      <ListPage<Bill, BillParams, Answer>
        title="账单明细"
        listKey="settlement.bills"
        main={<RequestsButton />}
        queryKey={['settlement', 'bills']}
        fetchPage={params => settlementApi.bills(params)}
        rowKey={row => row.id}
        columns={session.isVendorStaff ? [...COLUMNS, agentColumn()] : COLUMNS}
        searchPlaceholder="订单号 / 商户姓名 / 商户ID / 账号"
        filters={<BillFilters />}
        activeFilters={useActiveFilters()}
        summary={totals => <Totals totals={totals} />}
        exportHref={params => exportAddress('/api/settlement/bills.xlsx', params)}
        exportPermission="settlement.export"
        emptyText="还没有账单，购买版本后会显示在这里"
        actionsWidth={72}
        rowActions={undo.rowActions}
      />
      {undo.dialog}
    </>
  )
}

/** How many requests wait, and the way to them. */
function RequestsButton() {
  const [, setParams] = useListParams<BillParams>()
  const pending = useQuery({
    queryKey: ['settlement', 'undoRequests', 'pending'],
    queryFn: () => settlementApi.undoRequests({ state: 'pending' }),
  })
  const total = pending.data?.total ?? 0
  return (
    <Button onClick={() => setParams({ ...NO_FILTERS, view: 'requests' })}>
      撤销申请{total > 0 && `（${formatCount(total)} 待审批）`}
    </Button>
  )
}

const NO_FILTERS = {
  search: undefined,
  salesType: undefined,
  status: undefined,
  paidFrom: undefined,
  paidTo: undefined,
  agentId: undefined,
  size: undefined,
}

function Totals({ totals }: { totals: Answer }) {
  return (
    <>
      <RowCount totals={totals} />
      <Sum label="应收" value={formatCents(totals.originalCents)} unit="代币" />
      <Sum label="结算" value={formatCents(totals.totalCents)} unit="代币" />
      {totals.refundedCents > 0 && (
        <Sum label="其中已退款" value={formatCents(totals.refundedCents)} unit="代币" />
      )}
      <CappedNotes totals={totals} summed="金额" />
    </>
  )
}

/** What is filtered, in words. */
function useActiveFilters(): ActiveFilter[] {
  const [params, setParams] = useListParams<BillParams>()
  const { paidFrom, paidTo, agentId } = params
  const words = useFiltersInWords(
    { from: paidFrom, to: paidTo, agentId },
    () => setParams({ paidFrom: undefined, paidTo: undefined }),
    '支付时间',
  )
  return [
    ...wordFilter('salesType', '销售类型', SALES_TYPES, params.salesType),
    ...wordFilter('status', '状态', BILL_STATUSES, params.status),
    ...words.days,
    ...words.agent,
  ]
}
