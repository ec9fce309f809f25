import { lazy } from 'react'
import { formatInstant } from '#kit/time.ts'
import { api } from '#web/api.ts'
import { Instant, Phone } from '#web/format.tsx'
import { type ActiveFilter, type ListColumn, ListPage } from '#web/list/ListPage.tsx'
import { rangeText } from '#web/list/range-text.ts'
import { type ListParams, useListParams } from '#web/list/useListParams.ts'
import { type ConsultationRow, Contacted, useContact } from './Contacted.tsx'
import type { consultations } from './contract.ts'

const consultationsApi = api<typeof consultations>('consultations')
const ConsultationFilters = lazy(() => import('./ConsultationFilters.tsx'))

export const CONTACTED = { false: '待联系', true: '已联系' } as const
export type ConsultationParams = ListParams & {
  contacted?: keyof typeof CONTACTED
  from?: string
  to?: string
}

/** Who asked on the website to be called, for the vendor's staff. */
export default function ConsultationsPage() {
  const { change } = useContact()
  return (
    <ListPage<ConsultationRow, ConsultationParams>
      title="官网咨询"
      listKey="consultations.list"
      queryKey={['consultations', 'list']}
      fetchPage={({ sort: _sort, order: _order, ...wanted }) => consultationsApi.list(wanted)}
      rowKey={row => row.id}
      columns={COLUMNS}
      searchPlaceholder="称呼 / 地址 / 手机号开头"
      filters={<ConsultationFilters />}
      activeFilters={useChips()}
      emptyText="还没有官网咨询，访客提交后会显示在这里"
      rowActions={row => [
        { key: 'contact', label: row.contacted ? '撤销标记' : '标记已联系', onClick: () => change(row) },
      ]}
      actionsWidth={112}
    />
  )
}

function useChips(): ActiveFilter[] {
  const [{ contacted, from, to }, setParams] = useListParams<ConsultationParams>()
  const days = rangeText(from, to)
  const onRemove = () => setParams({ from: undefined, to: undefined })
  return [
    ...(contacted ? [{ key: 'contacted', label: '状态', text: CONTACTED[contacted] ?? contacted }] : []),
    ...(days === undefined ? [] : [{ key: 'dates', label: '提交时间', text: days, onRemove }]),
  ]
}

const COLUMNS: readonly ListColumn<ConsultationRow>[] = [
  { key: 'name', title: '称呼', width: 120, copy: row => row.name, render: row => row.name, card: 'title' },
  {
    key: 'mobile',
    title: '手机号码',
    width: 120,
    copy: row => row.mobile,
    render: row => <Phone number={row.mobile} />,
    card: 'fact',
  },
  { key: 'contacted', title: '状态', width: 80, render: row => <Contacted row={row} />, card: 'fact' },
  {
    key: 'createdAt',
    title: '提交时间',
    width: 160,
    copy: row => formatInstant(row.createdAt),
    render: row => <Instant at={row.createdAt} />,
    card: 'fact',
  },
  { key: 'address', title: '地址', width: 176, copy: row => row.address, render: row => row.address || '—' },
  {
    key: 'content',
    title: '咨询内容',
    width: 216,
    copy: row => row.content,
    render: row => row.content || '—',
    card: 'fact',
  },
  { key: 'contactedAt', title: '联系时间', width: 160, render: row => <Instant at={row.contactedAt} /> },
  { key: 'contactedByName', title: '联系人', width: 80, render: row => row.contactedByName || '—' },
]
