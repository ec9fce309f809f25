import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { agents } from '#features/agents/contract.ts'
import {
  refuseUndo,
  SALES_TYPES,
  type SalesType,
  SHOPS_CAPPED_TEXT,
  UNDO_REFUSALS,
} from '#features/orders/rules.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { type ActiveFilter, ListPage, type RowAction } from '#web/ListPage.tsx'
import { usePermission, useSession } from '#web/session.ts'
import { type ListParams, useListParams } from '#web/useListParams.ts'
import { AGENT_COLUMN, type Bill, COLUMNS } from './billColumns.tsx'
import type { settlement } from './contract.ts'
import { BILL_STATUSES, type BillStatus, SETTLEMENT_REFUSALS } from './rules.ts'
import { UndoRequests } from './UndoRequests.tsx'
import './settlement.css'

const settlementApi = api<typeof settlement>('settlement')
const agentsApi = api<typeof agents>('agents')
const BillFilters = lazy(() => import('./BillFilters.tsx'))
const UndoDialog = lazy(() => import('./UndoDialog.tsx'))

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
  const mayUndo = usePermission('settlement.undo')
  const [undoing, setUndoing] = useState<Bill | null>(null)
  return (
    <>
      <ListPage<Bill, BillParams, Answer>
        title="账单明细"
        listKey="settlement.bills"
        main={<RequestsButton />}
        queryKey={['settlement', 'bills']}
        fetchPage={params => settlementApi.bills(params)}
        rowKey={row => row.id}
        columns={session.isVendorStaff ? [...COLUMNS, AGENT_COLUMN] : COLUMNS}
        searchPlaceholder="订单号 / 商户姓名 / 商户ID / 账号"
        filters={<BillFilters />}
        activeFilters={useActiveFilters()}
        summary={totals => <Totals totals={totals} />}
        exportHref={exportAddress}
        exportPermission="settlement.export"
        emptyText="还没有账单，购买版本后会显示在这里"
        actionsWidth={72}
        rowActions={mayUndo ? row => [undoAction(row, () => setUndoing(row))] : undefined}
      />
      {undoing && (
        <Suspense>
          <UndoDialog
            kind="version"
            orderNo={undoing.orderNo}
            onClose={() => setUndoing(null)}
            onDone={() => undefined}
          />
        </Suspense>
      )}
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

/** Refused in the page by the server's own rule (D3 §9): disabled with its reason, not hidden. */
function undoAction(row: Bill, onClick: () => void): RowAction {
  const order = { isPaid: true, isUndone: row.status === 'recycled', paidAt: row.paidAt }
  const code = refuseUndo(order, new Date().toISOString())
  const pending = row.undoPending ? SETTLEMENT_REFUSALS.UNDO_PENDING : null
  return {
    key: 'undo',
    label: '撤销',
    disabled: code ? UNDO_REFUSALS[code] : pending,
    onClick,
  }
}

function Totals({ totals }: { totals: Answer }) {
  return (
    <>
      <span>
        笔数 <b>{formatCount(totals.total)}</b>
        {totals.totalCapped && ' 以上'}
      </span>
      <span>
        应收 <b>{formatCents(totals.originalCents)}</b> 代币
      </span>
      <span>
        结算 <b>{formatCents(totals.totalCents)}</b> 代币
      </span>
      {totals.refundedCents > 0 && (
        <span>
          其中已退款 <b>{formatCents(totals.refundedCents)}</b> 代币
        </span>
      )}
      {totals.totalCapped && <span>金额按最近 {formatCount(totals.total)} 笔合计</span>}
      {totals.shopsCapped && <span>{SHOPS_CAPPED_TEXT}</span>}
    </>
  )
}

/** What is filtered, in words; the agent's name is fetched only when one is chosen. */
function useActiveFilters(): ActiveFilter[] {
  const [params, setParams] = useListParams<BillParams>()
  const { salesType, status, paidFrom, paidTo, agentId } = params
  const found = useQuery({
    queryKey: ['agents', 'options', String(agentId)],
    queryFn: () => agentsApi.options({ search: String(agentId) }),
    enabled: agentId !== undefined,
  })
  const filters: ActiveFilter[] = []
  if (salesType)
    filters.push({ key: 'salesType', label: '销售类型', text: SALES_TYPES[salesType] ?? salesType })
  if (status) filters.push({ key: 'status', label: '状态', text: BILL_STATUSES[status] ?? status })
  if (paidFrom || paidTo)
    filters.push({
      key: 'dates',
      label: '支付时间',
      text: `${paidFrom ?? '最早'} 至 ${paidTo ?? '今天'}`,
      onRemove: () => setParams({ paidFrom: undefined, paidTo: undefined }),
    })
  if (agentId !== undefined) {
    const agent = found.data?.rows.find(row => row.id === agentId)
    filters.push({ key: 'agentId', label: '代理商', text: agent?.companyName ?? String(agentId) })
  }
  return filters
}

function exportAddress({ page: _page, size: _size, ...filters }: BillParams): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  return `/api/settlement/bills.xlsx?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}`
}
