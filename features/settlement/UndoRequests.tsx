import { lazy, Suspense, useState } from 'react'
import { FilterRow, Labelled } from '#features/services/OrderDates.tsx'
import { agentColumn, orderNoColumn } from '#features/services/orderColumns.tsx'
import type { Out } from '#kit/op.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { type ActiveFilter, type ListColumn, ListPage } from '#web/list/ListPage.tsx'
import { moneyColumn, textColumn, timeColumn, wordColumn } from '#web/list/listColumns.tsx'
import { type ListParams, useListParams } from '#web/list/useListParams.ts'
import { look } from '#web/look.ts'
import { StatusTag, type Tone } from '#web/StatusTag.tsx'
import { usePermission, useSession } from '#web/session.ts'
import type { settlement } from './contract.ts'
import {
  refuseDecider,
  SETTLEMENT_REFUSALS,
  UNDO_KINDS,
  UNDO_REQUEST_STATE_KEYS,
  UNDO_REQUEST_STATES,
  type UndoRequestState,
} from './rules.ts'
import styles from './settlement.module.css'

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
          <div className={styles.undoMain}>
            <Button onClick={() => setParams({ view: undefined, state: undefined, size: undefined })}>
              返回账单明细
            </Button>
            {maySet && <Button onClick={() => setSetting(true)}>撤销审批设置</Button>}
          </div>
        }
        queryKey={['settlement', 'undoRequests']}
        fetchPage={wanted => settlementApi.undoRequests(wanted)}
        rowKey={row => row.id}
        columns={session.isVendorStaff ? [...COLUMNS, agentColumn()] : COLUMNS}
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
    <FilterRow>
      <Labelled label="状态">
        <select
          aria-label="状态"
          className={look.select}
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
      </Labelled>
    </FilterRow>
  )
}

function stateChip(state: UndoRequestState | undefined): ActiveFilter[] {
  return state ? [{ key: 'state', label: '状态', text: UNDO_REQUEST_STATES[state] ?? state }] : []
}

const TONES: Record<UndoRequestState, Tone> = { pending: 'attention', approved: 'done', rejected: 'problem' }

const COLUMNS: ListColumn<Row>[] = [
  orderNoColumn({ card: 'title' }),
  wordColumn('kind', '类型', UNDO_KINDS, { width: 104, card: 'fact' }),
  moneyColumn('totalCents', '退回（代币）', { width: 104, card: 'fact' }),
  textColumn('reason', '撤销原因', { width: 176, card: 'fact' }),
  {
    key: 'state',
    title: '状态',
    width: 80,
    render: row => <StatusTag tone={TONES[row.state]}>{UNDO_REQUEST_STATES[row.state]}</StatusTag>,
    card: 'fact',
  },
  textColumn('requestedByName', '申请人', { width: 88 }),
  timeColumn('requestedAt', '申请时间', { width: 152 }),
  textColumn('decidedByName', '审批人', { width: 88 }),
  timeColumn('decidedAt', '审批时间', { width: 152 }),
  textColumn('decision', '审批意见', { width: 104, card: 'fact' }),
]
