import { AgentPicker } from '#features/agents/AgentPicker.tsx'
import { SHOPS_CAPPED_TEXT } from '#features/orders/rules.ts'
import { Choice, Labelled, OrderDates } from '#features/services/OrderDates.tsx'
import {
  exportAddress,
  type Numbered,
  numbered,
  useFiltersInWords,
} from '#features/services/orderActions.tsx'
import { agentColumn, indexColumn, orderNoColumn } from '#features/services/orderColumns.tsx'
import '#features/services/services.css'
import { formatCents, formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { formatInstant } from '#kit/time.ts'
import { api } from '#web/api.ts'
import { Count, Instant, Money } from '#web/format.tsx'
import { type ActiveFilter, type ListColumn, ListPage } from '#web/ListPage.tsx'
import { useSession } from '#web/session.ts'
import { type ListParams, useListParams } from '#web/useListParams.ts'
import type { sms } from './contract.ts'
import { SMS_CHANGE_KINDS, type SmsChangeKind } from './rules.ts'

const smsApi = api<typeof sms>('sms')

type Answered = Out<typeof sms.changes>
type Row = Numbered<Answered['rows'][number]>
type Answer = Omit<Answered, 'rows'> & { rows: Row[] }
type Params = ListParams & { kind?: SmsChangeKind; from?: string; to?: string; agentId?: number }

/** What took credit away from shops again (D2 §2, screen 15). */
export default function SmsChangeOrdersPage() {
  const session = useSession()
  return (
    <ListPage<Row, Params, Answer>
      title="短信变动订单"
      listKey="sms.changes"
      queryKey={['sms', 'changes']}
      fetchPage={async params => numbered(await smsApi.changes(params), params)}
      rowKey={row => row.id}
      columns={session.isVendorStaff ? [...COLUMNS, agentColumn()] : COLUMNS}
      searchPlaceholder="订单号 / 商户ID / 店铺名称"
      filters={<Filters />}
      activeFilters={useActiveFilters()}
      summary={totals => (
        <>
          <span>
            变动 <b>{formatCount(totals.totalPieces)}</b> 条
          </span>
          <span>
            笔数 <b>{formatCount(totals.total)}</b>
            {totals.totalCapped && ' 以上'}
          </span>
          {totals.totalCapped && <span>合计按最近 {formatCount(totals.total)} 笔</span>}
          {totals.shopsCapped && <span>{SHOPS_CAPPED_TEXT}</span>}
        </>
      )}
      exportHref={params => exportAddress('/api/sms/changes.xlsx', params)}
      exportPermission="sms.changesExport"
      emptyText="还没有短信变动，撤回短信订单或回收短信后会显示在这里"
    />
  )
}

function Filters() {
  const session = useSession()
  const [params, setParams] = useListParams<Params>()
  return (
    <div className="order-filters">
      <Choice
        label="类型"
        names={SMS_CHANGE_KINDS}
        value={params.kind}
        onChange={kind => setParams({ kind })}
      />
      <OrderDates from={params.from} to={params.to} onChange={setParams} />
      {session.isVendorStaff && (
        <Labelled label="代理商">
          <AgentPicker value={params.agentId} onChange={agentId => setParams({ agentId })} />
        </Labelled>
      )}
    </div>
  )
}

function useActiveFilters(): ActiveFilter[] {
  const [params, setParams] = useListParams<Params>()
  const words = useFiltersInWords(params, () => setParams({ from: undefined, to: undefined }))
  const { kind } = params
  const filters: ActiveFilter[] = kind
    ? [{ key: 'kind', label: '类型', text: SMS_CHANGE_KINDS[kind] ?? kind }]
    : []
  return [...filters, ...words.days, ...words.agent]
}

const countOr = (value: number | null) => (value === null ? '—' : <Count value={value} />)

const COLUMNS: ListColumn<Row>[] = [
  orderNoColumn(),
  indexColumn(),
  {
    key: 'merchantId',
    title: '商户ID',
    width: 92,
    copy: row => String(row.merchantId ?? ''),
    render: row => <span className="number">{row.merchantId ?? '—'}</span>,
    card: 'fact',
  },
  {
    key: 'shopName',
    title: '店铺名称',
    width: 160,
    copy: row => row.shopName ?? '',
    render: row => row.shopName ?? <span className="quiet-text">已转至其他服务商</span>,
    card: 'title',
  },
  {
    key: 'kind',
    title: '类型',
    width: 88,
    render: row => SMS_CHANGE_KINDS[row.kind],
    card: 'fact',
  },
  {
    key: 'name',
    title: '套餐名称',
    width: 120,
    copy: row => row.name,
    render: row => row.name,
    card: 'hidden',
  },
  {
    key: 'changeBefore',
    title: '变动前数量',
    width: 92,
    align: 'right',
    render: row => countOr(row.changeBefore),
    card: 'hidden',
  },
  {
    key: 'changeAfter',
    title: '变动后数量',
    width: 92,
    align: 'right',
    render: row => countOr(row.changeAfter),
    card: 'fact',
  },
  {
    key: 'pieces',
    title: '变动数量',
    width: 88,
    align: 'right',
    copy: row => String(row.pieces),
    render: row => <span className="number">−{formatCount(row.pieces)}</span>,
    card: 'fact',
  },
  {
    key: 'totalCents',
    title: '总金额（代币）',
    width: 112,
    align: 'right',
    copy: row => formatCents(row.totalCents),
    render: row => (row.kind === 'recalled' ? '—' : <Money cents={row.totalCents} />),
    card: 'hidden',
  },
  {
    key: 'changedAt',
    title: '操作时间',
    width: 160,
    copy: row => formatInstant(row.changedAt),
    render: row => <Instant at={row.changedAt} />,
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
    title: '操作说明',
    width: 168,
    copy: row => row.remark,
    render: row => row.remark || '—',
    card: 'hidden',
  },
]
