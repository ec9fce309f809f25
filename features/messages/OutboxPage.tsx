import { lazy } from 'react'
import type { Out } from '#kit/op.ts'
import { formatInstant } from '#kit/time.ts'
import { api } from '#web/api.ts'
import { Copyable, Instant, Phone } from '#web/format.tsx'
import { type ActiveFilter, type ListColumn, ListPage } from '#web/list/ListPage.tsx'
import { rangeText } from '#web/list/range-text.ts'
import { type ListParams, useListParams } from '#web/list/useListParams.ts'
import type { messages } from './contract.ts'
import { MessageStatusTag } from './messageColumns.tsx'
import { MESSAGE_KINDS, type MessageKind } from './rules.ts'

const messagesApi = api<typeof messages>('messages')
const OutboxFilters = lazy(() => import('./OutboxFilters.tsx'))

type Row = Out<typeof messages.outbox>['rows'][number]

type OutboxParams = ListParams & { kind?: MessageKind; from?: string; to?: string }

/** What was put into the outbox, and where it stands, for the operator. */
export default function OutboxPage() {
  return (
    <ListPage<Row, OutboxParams>
      title="短信发件箱"
      listKey="messages.outbox"
      queryKey={['messages', 'outbox']}
      fetchPage={({ sort: _sort, order: _order, ...wanted }) => messagesApi.outbox(wanted)}
      rowKey={row => row.id}
      columns={COLUMNS}
      searchPlaceholder="完整的手机号 / 商户ID"
      filters={<OutboxFilters />}
      activeFilters={useOutboxChips()}
      emptyText="发件箱里还没有短信"
    />
  )
}

const COLUMNS: readonly ListColumn<Row>[] = [
  {
    key: 'createdAt',
    title: '时间',
    width: 168,
    copy: row => formatInstant(row.createdAt),
    render: row => <Instant at={row.createdAt} />,
    card: 'fact',
  },
  {
    key: 'kind',
    title: '类型',
    width: 128,
    render: row => MESSAGE_KINDS[row.kind],
    card: 'title',
  },
  {
    key: 'status',
    title: '状态',
    width: 88,
    render: row => <MessageStatusTag status={row.status} />,
    card: 'fact',
  },
  {
    key: 'merchantId',
    title: '商户ID',
    width: 96,
    copy: row => String(row.merchantId ?? ''),
    render: row => row.merchantId ?? '—',
    card: 'fact',
  },
  {
    key: 'shopName',
    title: '店铺名称',
    width: 168,
    copy: row => row.shopName ?? '',
    render: row => row.shopName ?? '—',
  },
  {
    key: 'phone',
    title: '手机号',
    width: 120,
    copy: row => row.phone,
    render: row => <Phone number={row.phone} />,
    card: 'fact',
  },
  {
    key: 'text',
    title: '短信内容',
    width: 344,
    copy: row => row.text,
    render: row => <Copyable text={row.text} />,
    card: 'fact',
  },
  {
    key: 'createdByName',
    title: '提交人',
    width: 112,
    copy: row => row.createdByName,
    render: row => row.createdByName,
  },
]

/** What is filtered, in words. */
function useOutboxChips(): ActiveFilter[] {
  const [{ kind, from, to }, setParams] = useListParams<OutboxParams>()
  const days = rangeText(from, to)
  return [
    ...(kind ? [{ key: 'kind', label: '类型', text: MESSAGE_KINDS[kind] ?? kind }] : []),
    ...(days === undefined
      ? []
      : [
          {
            key: 'dates',
            label: '时间',
            text: days,
            onRemove: () => setParams({ from: undefined, to: undefined }),
          },
        ]),
  ]
}
