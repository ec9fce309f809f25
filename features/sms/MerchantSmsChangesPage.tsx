import { Input } from 'antd'
import { useState } from 'react'
import { AgentPicker } from '#features/agents/AgentPicker.tsx'
import { PAY_METHODS, TRANSFER_KINDS, type TransferKind } from '#features/ledger/rules.ts'
import { SHOWN_ORDER_CHARS } from '#features/orders/rules.ts'
import { Choice, Labelled, OrderDates } from '#features/services/OrderDates.tsx'
import { exportAddress, useFiltersInWords } from '#features/services/orderActions.tsx'
import '#features/services/services.css'
import { formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { formatInstant } from '#kit/time.ts'
import { api } from '#web/api.ts'
import { Copyable, Count, Instant } from '#web/format.tsx'
import { type ActiveFilter, type ListColumn, ListPage } from '#web/ListPage.tsx'
import { useSession } from '#web/session.ts'
import { type ListParams, useListParams } from '#web/useListParams.ts'
import type { sms } from './contract.ts'

const smsApi = api<typeof sms>('sms')

type Answer = Out<typeof sms.merchantChanges>
type Row = Answer['rows'][number]
type Params = ListParams & {
  kind?: TransferKind
  merchantId?: number
  from?: string
  to?: string
  agentId?: number
}

/** Every change of SMS credit on the agent's own account, or on that of one shop (D3 §2, SMS change list). */
export default function MerchantSmsChangesPage() {
  return (
    <ListPage<Row, Params, Answer>
      title="商户短信变动"
      listKey="sms.merchantChanges"
      queryKey={['sms', 'merchantChanges']}
      fetchPage={params => smsApi.merchantChanges(params)}
      rowKey={row => row.id}
      columns={COLUMNS}
      searchPlaceholder="订单号（或后8位） / 商户ID"
      filters={<Filters />}
      activeFilters={useActiveFilters()}
      summary={totals => (
        <>
          <span>
            转入 <b>{formatCount(totals.income)}</b> 条
          </span>
          <span>
            转出 <b>{formatCount(totals.spent)}</b> 条
          </span>
          <span>
            笔数 <b>{formatCount(totals.total)}</b>
            {totals.totalCapped && ' 以上'}
          </span>
          {totals.totalCapped && <span>转入和转出按最近 {formatCount(totals.total)} 笔合计</span>}
        </>
      )}
      exportHref={params => exportAddress('/api/sms/merchant-changes.xlsx', params)}
      exportPermission="sms.merchantChangesExport"
      emptyText="还没有短信变动，充值、赠送、回收或发送短信后会显示在这里"
    />
  )
}

/** Kinds that move SMS credit. */
const SMS_KINDS = Object.fromEntries(
  Object.entries(TRANSFER_KINDS).filter(
    ([key]) => key === 'credit' || key === 'undo' || key.startsWith('sms-'),
  ),
) as Record<TransferKind, string>

function Filters() {
  const session = useSession()
  const [params, setParams] = useListParams<Params>()
  return (
    <div className="order-filters">
      <ShopField key={params.merchantId} value={params.merchantId} onChange={setParams} />
      <Choice label="类型" names={SMS_KINDS} value={params.kind} onChange={kind => setParams({ kind })} />
      <OrderDates from={params.from} to={params.to} onChange={setParams} />
      {session.isVendorStaff && (
        <Labelled label="代理商">
          <AgentPicker value={params.agentId} onChange={agentId => setParams({ agentId })} />
        </Labelled>
      )}
    </div>
  )
}

type ShopProps = { value: number | undefined; onChange: (change: { merchantId?: number }) => void }

/** The shop whose account is shown, by its id; empty: the agent's own account. */
function ShopField({ value, onChange }: ShopProps) {
  const [typed, setTyped] = useState(value === undefined ? '' : String(value))
  const isWrong = typed !== '' && !/^\d{8}$/.test(typed)
  const apply = () => {
    if (!isWrong) onChange({ merchantId: typed === '' ? undefined : Number(typed) })
  }
  return (
    <Labelled label="商户账户">
      <Input
        aria-label="商户ID，留空为本账户"
        placeholder="商户ID，留空为本账户"
        inputMode="numeric"
        maxLength={8}
        value={typed}
        status={isWrong ? 'warning' : undefined}
        onChange={event => setTyped(event.target.value.trim())}
        onPressEnter={apply}
        onBlur={apply}
        allowClear
      />
    </Labelled>
  )
}

function useActiveFilters(): ActiveFilter[] {
  const [params, setParams] = useListParams<Params>()
  const words = useFiltersInWords(params, () => setParams({ from: undefined, to: undefined }))
  const filters: ActiveFilter[] = []
  if (params.merchantId)
    filters.push({ key: 'merchantId', label: '商户账户', text: String(params.merchantId) })
  if (params.kind)
    filters.push({ key: 'kind', label: '类型', text: TRANSFER_KINDS[params.kind] ?? params.kind })
  return [...filters, ...words.days, ...words.agent]
}

const COLUMNS: ListColumn<Row>[] = [
  {
    key: 'orderNo',
    title: '订单号',
    width: 108,
    fixed: 'start',
    copy: row => row.orderNo,
    render: row => <Copyable text={row.orderNo} shown={row.orderNo.slice(-SHOWN_ORDER_CHARS)} />,
    card: 'hidden',
  },
  {
    key: 'createdAt',
    title: '时间',
    width: 160,
    copy: row => formatInstant(row.createdAt),
    render: row => <Instant at={row.createdAt} />,
    card: 'fact',
  },
  { key: 'kind', title: '类型', width: 96, render: row => TRANSFER_KINDS[row.kind], card: 'hidden' },
  {
    key: 'description',
    title: '说明',
    width: 240,
    copy: row => row.description,
    render: row => row.description,
    card: 'title',
  },
  {
    key: 'merchantId',
    title: '商户ID',
    width: 92,
    copy: row => String(row.merchantId ?? ''),
    render: row => <span className="number">{row.merchantId ?? '—'}</span>,
    card: 'hidden',
  },
  {
    key: 'before',
    title: '变动前',
    width: 92,
    align: 'right',
    render: row => <Count value={row.before} />,
    card: 'hidden',
  },
  {
    key: 'pieces',
    title: '变动条数',
    width: 92,
    align: 'right',
    copy: row => String(row.pieces),
    render: row => (
      <span className="number">
        {row.pieces > 0 ? '+' : '−'}
        {formatCount(Math.abs(row.pieces))}
      </span>
    ),
    card: 'fact',
  },
  {
    key: 'after',
    title: '变动后',
    width: 92,
    align: 'right',
    render: row => <Count value={row.after} />,
    card: 'fact',
  },
  {
    key: 'payMethod',
    title: '支付方式',
    width: 84,
    render: row => PAY_METHODS[row.payMethod],
    card: 'hidden',
  },
  {
    key: 'actorName',
    title: '操作人',
    width: 96,
    copy: row => row.actorName,
    render: row => row.actorName,
    card: 'hidden',
  },
  {
    key: 'remark',
    title: '备注',
    width: 160,
    copy: row => row.remark,
    render: row => row.remark || '—',
    card: 'hidden',
  },
]
