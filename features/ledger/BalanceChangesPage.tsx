import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { CappedNotes, RowCount, Sum } from '#features/services/OrderTotals.tsx'
import { exportAddress, nameFilter, useFiltersInWords, wordFilter } from '#features/services/orderActions.tsx'
import {
  agentColumn,
  merchantIdColumn,
  orderNoColumn,
  payMethodColumn,
} from '#features/services/orderColumns.tsx'
import { formatCents } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { api } from '#web/api.ts'
import { Money } from '#web/format.tsx'
import { type ActiveFilter, type ListColumn, ListPage } from '#web/list/ListPage.tsx'
import { moneyColumn, textColumn, timeColumn } from '#web/list/listColumns.tsx'
import { type ListParams, useListParams } from '#web/list/useListParams.ts'
import { useSession } from '#web/session.ts'
import type { ledger } from './contract.ts'
import { PAY_METHODS, type PayMethod } from './rules.ts'

const ledgerApi = api<typeof ledger>('ledger')
const ChangeFilters = lazy(() => import('./BalanceChangeFilters.tsx'))

type Answer = Out<typeof ledger.changes>
type Row = Answer['rows'][number]

export type ChangeParams = ListParams & {
  payMethod?: PayMethod
  actorId?: number
  agentId?: number
  from?: string
  to?: string
}

/** Balance changes (D3 §2): what came in, what went out, before and after. */
export default function BalanceChangesPage() {
  const session = useSession()
  const [params] = useListParams<ChangeParams>()
  const { agentId, from, to } = params
  const findsNumbersOnly = session.isVendorStaff && agentId === undefined && (!from || !to)
  return (
    <ListPage<Row, ChangeParams, Answer>
      title="余额变动"
      listKey="ledger.changes"
      queryKey={['ledger', 'changes']}
      fetchPage={params => ledgerApi.changes(params)}
      rowKey={row => row.id}
      columns={session.isVendorStaff ? [...COLUMNS, agentColumn()] : COLUMNS}
      searchPlaceholder={findsNumbersOnly ? '订单号（或后8位） / 商户ID' : '订单号 / 商户ID / 说明 / 备注'}
      filters={<ChangeFilters />}
      activeFilters={useActiveFilters()}
      summary={totals => (
        <Totals totals={totals} searchesNumbers={findsNumbersOnly && Boolean(params.search)} />
      )}
      exportHref={params => exportAddress('/api/wallet/changes.xlsx', params)}
      exportPermission="ledger.export"
      emptyText="还没有余额变动，充值或购买后会显示在这里"
    />
  )
}

function Totals({ totals, searchesNumbers }: { totals: Answer; searchesNumbers: boolean }) {
  return (
    <>
      <Sum label="收入" value={formatCents(totals.incomeCents)} unit="代币" />
      <Sum label="支出" value={formatCents(totals.spentCents)} unit="代币" />
      <RowCount totals={totals} />
      {searchesNumbers && <span>仅按订单号、后8位或商户ID查找；选择代理商或起止日期后可查找说明和备注</span>}
      <CappedNotes totals={totals} summed="收入和支出" />
    </>
  )
}

const COLUMNS: ListColumn<Row>[] = [
  orderNoColumn(),
  timeColumn('createdAt', '时间', { width: 152, card: 'fact' }),
  textColumn('description', '说明', { width: 240, card: 'title' }),
  merchantIdColumn(),
  payMethodColumn(),
  {
    ...moneyColumn('amountCents', '变动金额（代币）', { width: 116, card: 'fact' }),
    render: row => <Money cents={row.amountCents} signed />,
  },
  moneyColumn('balanceBeforeCents', '变动前（代币）', { width: 112 }),
  moneyColumn('balanceAfterCents', '变动后（代币）', { width: 112, card: 'fact' }),
  textColumn('actorName', '操作人', { width: 88 }),
  textColumn('remark', '备注', { width: 136 }),
]

/** What is filtered, in words; names are fetched only for filters that hold an id. */
function useActiveFilters(): ActiveFilter[] {
  const [params, setParams] = useListParams<ChangeParams>()
  const words = useFiltersInWords(params, () => setParams({ from: undefined, to: undefined }))
  const actors = useQuery({ ...ledgerApi.changeActors.query(), enabled: params.actorId !== undefined })
  return [
    ...wordFilter('payMethod', '支付方式', PAY_METHODS, params.payMethod),
    ...nameFilter('actorId', '操作人', actors.data?.rows, params.actorId),
    ...words.days,
    ...words.agent,
  ]
}
