import { useState } from 'react'
import { TRANSFER_KINDS, type TransferKind } from '#features/ledger/rules.ts'
import { Choice, FilterFields, Labelled, OrderDates } from '#features/services/OrderDates.tsx'
import { CappedNotes, RowCount, Sum } from '#features/services/OrderTotals.tsx'
import { exportAddress, useFiltersInWords, wordFilter } from '#features/services/orderActions.tsx'
import {
  countColumn,
  merchantIdColumn,
  orderNoColumn,
  payMethodColumn,
} from '#features/services/orderColumns.tsx'
import { formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { api } from '#web/api.ts'
import { TextInput } from '#web/form/TextField.tsx'
import { type ActiveFilter, type ListColumn, ListPage } from '#web/list/ListPage.tsx'
import { textColumn, timeColumn, wordColumn } from '#web/list/listColumns.tsx'
import { type ListParams, useListParams } from '#web/list/useListParams.ts'
import { look } from '#web/look.ts'
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
          <Sum label="转入" value={formatCount(totals.income)} unit="条" />
          <Sum label="转出" value={formatCount(totals.spent)} unit="条" />
          <RowCount totals={totals} />
          <CappedNotes totals={totals} summed="转入和转出" />
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
  const [params, setParams] = useListParams<Params>()
  return (
    <FilterFields agentId={params.agentId} onAgent={setParams}>
      <ShopField key={params.merchantId} value={params.merchantId} onChange={setParams} />
      <Choice label="类型" names={SMS_KINDS} value={params.kind} onChange={kind => setParams({ kind })} />
      <OrderDates from={params.from} to={params.to} onChange={setParams} />
    </FilterFields>
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
      <TextInput
        aria-label="商户ID，留空为本账户"
        placeholder="商户ID，留空为本账户"
        inputMode="numeric"
        maxLength={8}
        value={typed}
        aria-invalid={isWrong}
        onChange={text => setTyped(text.trim())}
        onKeyDown={event => event.key === 'Enter' && apply()}
        onBlur={apply}
      />
    </Labelled>
  )
}

function useActiveFilters(): ActiveFilter[] {
  const [params, setParams] = useListParams<Params>()
  const { merchantId, kind } = params
  const words = useFiltersInWords(params, () => setParams({ from: undefined, to: undefined }))
  return [
    ...(merchantId ? [{ key: 'merchantId', label: '商户账户', text: String(merchantId) }] : []),
    ...wordFilter('kind', '类型', TRANSFER_KINDS, kind),
    ...words.days,
    ...words.agent,
  ]
}

const COLUMNS: ListColumn<Row>[] = [
  orderNoColumn(),
  timeColumn('createdAt', '时间', { width: 152, card: 'fact' }),
  wordColumn('kind', '类型', TRANSFER_KINDS, { width: 88 }),
  textColumn('description', '说明', { width: 208, card: 'title' }),
  merchantIdColumn(),
  countColumn('before', '变动前', { width: 84 }),
  countColumn('pieces', '变动条数', {
    width: 84,
    render: row => (
      <span className={look.number}>
        {row.pieces > 0 ? '+' : '−'}
        {formatCount(Math.abs(row.pieces))}
      </span>
    ),
    card: 'fact',
  }),
  countColumn('after', '变动后', { width: 84, card: 'fact' }),
  payMethodColumn(),
  textColumn('actorName', '操作人', { width: 88 }),
  textColumn('remark', '备注', { width: 152 }),
]
