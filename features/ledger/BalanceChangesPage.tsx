import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import type { agents } from '#features/agents/contract.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { formatInstant } from '#kit/time.ts'
import { api } from '#web/api.ts'
import { Copyable, Instant, Money } from '#web/format.tsx'
import { type ActiveFilter, type ListColumn, ListPage } from '#web/ListPage.tsx'
import { useSession } from '#web/session.ts'
import { type ListParams, useListParams } from '#web/useListParams.ts'
import type { ledger } from './contract.ts'
import { PAY_METHODS, type PayMethod } from './rules.ts'
import './ledger.css'

const ledgerApi = api<typeof ledger>('ledger')
const agentsApi = api<typeof agents>('agents')
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

/** Lists show the last characters of an order number (decisions.md). */
const SHOWN_ORDER_CHARS = 8

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
      columns={session.isVendorStaff ? [...COLUMNS, AGENT_COLUMN] : COLUMNS}
      searchPlaceholder={findsNumbersOnly ? '订单号（或后8位） / 商户ID' : '订单号 / 商户ID / 说明 / 备注'}
      filters={<ChangeFilters />}
      activeFilters={useActiveFilters()}
      summary={totals => (
        <Totals totals={totals} searchesNumbers={findsNumbersOnly && Boolean(params.search)} />
      )}
      exportHref={exportAddress}
      exportPermission="ledger.export"
      emptyText="还没有余额变动，充值或购买后会显示在这里"
    />
  )
}

function Totals({ totals, searchesNumbers }: { totals: Answer; searchesNumbers: boolean }) {
  return (
    <>
      <span>
        收入 <b>{formatCents(totals.incomeCents)}</b> 代币
      </span>
      <span>
        支出 <b>{formatCents(totals.spentCents)}</b> 代币
      </span>
      <span>
        笔数 <b>{formatCount(totals.total)}</b>
        {totals.totalCapped && ' 以上'}
      </span>
      {searchesNumbers && <span>仅按订单号、后8位或商户ID查找；选择代理商或起止日期后可查找说明和备注</span>}
      {totals.totalCapped && <span>收入和支出按最近 {formatCount(totals.total)} 笔合计</span>}
    </>
  )
}

const COLUMNS: ListColumn<Row>[] = [
  {
    key: 'orderNo',
    title: '订单号',
    width: 124,
    fixed: 'start',
    copy: row => row.orderNo,
    render: row => <Copyable text={row.orderNo} shown={row.orderNo.slice(-SHOWN_ORDER_CHARS)} />,
    card: 'hidden',
  },
  {
    key: 'createdAt',
    title: '时间',
    width: 168,
    copy: row => formatInstant(row.createdAt),
    render: row => <Instant at={row.createdAt} />,
    card: 'fact',
  },
  {
    key: 'description',
    title: '说明',
    width: 232,
    copy: row => row.description,
    render: row => row.description,
    card: 'title',
  },
  {
    key: 'merchantId',
    title: '商户ID',
    width: 104,
    copy: row => String(row.merchantId ?? ''),
    render: row => row.merchantId ?? '—',
    card: 'hidden',
  },
  {
    key: 'payMethod',
    title: '支付方式',
    width: 96,
    render: row => PAY_METHODS[row.payMethod],
    card: 'hidden',
  },
  {
    key: 'amountCents',
    title: '变动金额（代币）',
    width: 128,
    align: 'right',
    copy: row => formatCents(row.amountCents),
    render: row => <Money cents={row.amountCents} signed />,
    card: 'fact',
  },
  {
    key: 'balanceBeforeCents',
    title: '变动前（代币）',
    width: 128,
    align: 'right',
    copy: row => formatCents(row.balanceBeforeCents),
    render: row => <Money cents={row.balanceBeforeCents} />,
    card: 'hidden',
  },
  {
    key: 'balanceAfterCents',
    title: '变动后（代币）',
    width: 128,
    align: 'right',
    copy: row => formatCents(row.balanceAfterCents),
    render: row => <Money cents={row.balanceAfterCents} />,
    card: 'fact',
  },
  {
    key: 'actorName',
    title: '操作人',
    width: 112,
    copy: row => row.actorName,
    render: row => row.actorName,
    card: 'hidden',
  },
  {
    key: 'remark',
    title: '备注',
    width: 200,
    copy: row => row.remark,
    render: row => row.remark || '—',
    card: 'hidden',
  },
]

const AGENT_COLUMN: ListColumn<Row> = {
  key: 'agentName',
  title: '代理商',
  width: 200,
  copy: row => `${row.agentName}（${row.agentId}）`,
  render: row => `${row.agentName}（${row.agentId}）`,
  card: 'fact',
}

/** What is filtered, in words; names are fetched only for filters that hold an id. */
function useActiveFilters(): ActiveFilter[] {
  const [params, setParams] = useListParams<ChangeParams>()
  const { payMethod, actorId, agentId, from, to } = params
  const actors = useQuery({
    queryKey: ['ledger', 'changeActors'],
    queryFn: () => ledgerApi.changeActors(),
    enabled: actorId !== undefined,
  })
  const found = useQuery({
    queryKey: ['agents', 'options', String(agentId)],
    queryFn: () => agentsApi.options({ search: String(agentId) }),
    enabled: agentId !== undefined,
  })
  const filters: ActiveFilter[] = []
  if (payMethod)
    filters.push({ key: 'payMethod', label: '支付方式', text: PAY_METHODS[payMethod] ?? payMethod })
  if (actorId !== undefined) {
    const actor = actors.data?.rows.find(row => row.id === actorId)
    filters.push({ key: 'actorId', label: '操作人', text: actor?.name ?? String(actorId) })
  }
  if (from || to)
    filters.push({
      key: 'dates',
      label: '时间',
      text: `${from ?? '最早'} 至 ${to ?? '今天'}`,
      onRemove: () => setParams({ from: undefined, to: undefined }),
    })
  if (agentId !== undefined) {
    const agent = found.data?.rows.find(row => row.id === agentId)
    filters.push({ key: 'agentId', label: '代理商', text: agent?.companyName ?? String(agentId) })
  }
  return filters
}

function exportAddress({ page: _page, size: _size, ...filters }: ChangeParams): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  return `/api/wallet/changes.xlsx?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}`
}
