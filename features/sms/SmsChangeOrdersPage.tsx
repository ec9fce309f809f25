import { Choice, FilterFields, OrderDates } from '#features/services/OrderDates.tsx'
import { CappedNotes, RowCount, Sum } from '#features/services/OrderTotals.tsx'
import {
  exportAddress,
  type Numbered,
  numbered,
  useFiltersInWords,
  wordFilter,
} from '#features/services/orderActions.tsx'
import {
  agentColumn,
  countColumn,
  indexColumn,
  merchantIdColumn,
  orderNoColumn,
  shopNameColumn,
} from '#features/services/orderColumns.tsx'
import { formatCents, formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { api } from '#web/api.ts'
import { Money } from '#web/format.tsx'
import { type ActiveFilter, type ListColumn, ListPage } from '#web/list/ListPage.tsx'
import { moneyColumn, textColumn, timeColumn, wordColumn } from '#web/list/listColumns.tsx'
import { type ListParams, useListParams } from '#web/list/useListParams.ts'
import { look } from '#web/look.ts'
import { useSession } from '#web/session.ts'
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
          <Sum label="变动" value={formatCount(totals.totalPieces)} unit="条" />
          <RowCount totals={totals} />
          <CappedNotes totals={totals} summed="变动条数" />
        </>
      )}
      exportHref={params => exportAddress('/api/sms/changes.xlsx', params)}
      exportPermission="sms.changesExport"
      emptyText="还没有短信变动，撤回短信订单或回收短信后会显示在这里"
    />
  )
}

function Filters() {
  const [params, setParams] = useListParams<Params>()
  return (
    <FilterFields agentId={params.agentId} onAgent={setParams}>
      <Choice
        label="类型"
        names={SMS_CHANGE_KINDS}
        value={params.kind}
        onChange={kind => setParams({ kind })}
      />
      <OrderDates from={params.from} to={params.to} onChange={setParams} />
    </FilterFields>
  )
}

function useActiveFilters(): ActiveFilter[] {
  const [params, setParams] = useListParams<Params>()
  const words = useFiltersInWords(params, () => setParams({ from: undefined, to: undefined }))
  return [...wordFilter('kind', '类型', SMS_CHANGE_KINDS, params.kind), ...words.days, ...words.agent]
}

const COLUMNS: ListColumn<Row>[] = [
  orderNoColumn(),
  indexColumn(),
  merchantIdColumn({ card: 'fact' }),
  shopNameColumn(136),
  wordColumn('kind', '类型', SMS_CHANGE_KINDS, { width: 80, card: 'fact' }),
  textColumn('name', '套餐名称', { width: 96 }),
  countColumn('changeBefore', '变动前数量', { width: 80 }),
  countColumn('changeAfter', '变动后数量', { width: 80, card: 'fact' }),
  countColumn('pieces', '变动数量', {
    width: 76,
    render: row => <span className={look.number}>−{formatCount(row.pieces)}</span>,
    card: 'fact',
  }),
  {
    ...moneyColumn('totalCents', '总金额（代币）'),
    render: ({ totalCents, refundFen }) =>
      refundFen !== null ? (
        <span className={look.number}>¥{formatCents(refundFen)}</span>
      ) : totalCents === null ? (
        '—'
      ) : (
        <Money cents={totalCents} />
      ),
  },
  timeColumn('changedAt', '操作时间', { width: 152, card: 'fact' }),
  textColumn('createdByName', '操作人', { width: 80 }),
  textColumn('remark', '操作说明', { width: 100 }),
]
