import { lazy, Suspense, useState } from 'react'
import { SHOWN_ORDER_CHARS } from '#features/orders/rules.ts'
import { formatCents } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { formatInstant } from '#kit/time.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { Copyable, Instant, Money } from '#web/format.tsx'
import { type ActiveFilter, type ListColumn, ListPage } from '#web/ListPage.tsx'
import { StatusTag, type Tone } from '#web/StatusTag.tsx'
import { usePermission, useSession } from '#web/session.ts'
import { type ListParams, useListParams } from '#web/useListParams.ts'
import type { settlement } from './contract.ts'
import {
  refuseDecider,
  SETTLEMENT_REFUSALS,
  UNDO_KINDS,
  UNDO_REQUEST_STATE_KEYS,
  UNDO_REQUEST_STATES,
  type UndoRequestState,
} from './rules.ts'
import './settlement.css'

const settlementApi = api<typeof settlement>('settlement')
const UndoDecisionDialog = lazy(() => import('./UndoDecisionDialog.tsx'))
const UndoSettingsDialog = lazy(() => import('./UndoSettingsDialog.tsx'))

type Row = Out<typeof settlement.undoRequests>['rows'][number]
type Params = ListParams & { state?: UndoRequestState; view?: string }

/** Requests to undo: an agent sees its own and what came of them, whoever may approve decides here. */
export function UndoRequests() {
  const session = useSession()
  const mayApprove = usePermission('settlement.approve')
  const maySet = usePermission('settlement.settings')
  const [params, setParams] = useListParams<Params>()
  const [decided, setDecided] = useState<number | null>(null)
  const [setting, setSetting] = useState(false)
  return (
    <>
      <ListPage<Row, Params>
        title="撤销申请"
        listKey="settlement.undoRequests"
        main={
          <div className="undo-main">
            <Button onClick={() => setParams({ view: undefined, state: undefined, size: undefined })}>
              返回账单明细
            </Button>
            {maySet && <Button onClick={() => setSetting(true)}>撤销审批设置</Button>}
          </div>
        }
        queryKey={['settlement', 'undoRequests']}
        fetchPage={wanted => settlementApi.undoRequests(wanted)}
        rowKey={row => row.id}
        columns={session.isVendorStaff ? [...COLUMNS, AGENT_COLUMN] : COLUMNS}
        ownParams={['view']}
        filters={<StateFilter />}
        activeFilters={stateChip(params.state)}
        emptyText="没有撤销申请。退回金额超过审批限额的撤销会显示在这里"
        actionsWidth={72}
        rowActions={
          mayApprove
            ? row => {
                const code = refuseDecider(row, session.accountId, new Date().toISOString())
                return [
                  {
                    key: 'decide',
                    label: '审批',
                    disabled: code && SETTLEMENT_REFUSALS[code],
                    onClick: () => setDecided(row.id),
                  },
                ]
              }
            : undefined
        }
      />
      <Suspense>
        {decided !== null && <UndoDecisionDialog id={decided} onClose={() => setDecided(null)} />}
        {setting && <UndoSettingsDialog onClose={() => setSetting(false)} />}
      </Suspense>
    </>
  )
}

function StateFilter() {
  const [params, setParams] = useListParams<Params>()
  return (
    <div className="bill-filters">
      <label>
        <span className="filter-name">状态</span>
        <select
          className="select"
          value={params.state ?? ''}
          onChange={event =>
            setParams({ state: (event.target.value || undefined) as UndoRequestState | undefined })
          }
        >
          <option value="">全部</option>
          {UNDO_REQUEST_STATE_KEYS.map(state => (
            <option key={state} value={state}>
              {UNDO_REQUEST_STATES[state]}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

function stateChip(state: UndoRequestState | undefined): ActiveFilter[] {
  return state ? [{ key: 'state', label: '状态', text: UNDO_REQUEST_STATES[state] ?? state }] : []
}

const TONES: Record<UndoRequestState, Tone> = { pending: 'attention', approved: 'done', rejected: 'problem' }

const COLUMNS: ListColumn<Row>[] = [
  {
    key: 'orderNo',
    title: '订单号',
    width: 108,
    fixed: 'start',
    copy: row => row.orderNo,
    render: row => <Copyable text={row.orderNo} shown={row.orderNo.slice(-SHOWN_ORDER_CHARS)} />,
    card: 'title',
  },
  { key: 'kind', title: '类型', width: 112, render: row => UNDO_KINDS[row.kind], card: 'fact' },
  {
    key: 'totalCents',
    title: '退回（代币）',
    width: 120,
    align: 'right',
    copy: row => formatCents(row.totalCents),
    render: row => <Money cents={row.totalCents} />,
    card: 'fact',
  },
  {
    key: 'reason',
    title: '撤销原因',
    width: 216,
    copy: row => row.reason,
    render: row => row.reason,
    card: 'fact',
  },
  {
    key: 'state',
    title: '状态',
    width: 88,
    render: row => <StatusTag tone={TONES[row.state]}>{UNDO_REQUEST_STATES[row.state]}</StatusTag>,
    card: 'fact',
  },
  { key: 'requestedByName', title: '申请人', width: 104, render: row => row.requestedByName },
  {
    key: 'requestedAt',
    title: '申请时间',
    width: 168,
    copy: row => formatInstant(row.requestedAt),
    render: row => <Instant at={row.requestedAt} />,
  },
  { key: 'decidedByName', title: '审批人', width: 104, render: row => row.decidedByName || '—' },
  { key: 'decidedAt', title: '审批时间', width: 168, render: row => <Instant at={row.decidedAt} /> },
  {
    key: 'decision',
    title: '审批意见',
    width: 216,
    copy: row => row.decision,
    render: row => row.decision || '—',
    card: 'fact',
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
