import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { PAY_CHANNELS, type PayChannelName } from '#kit/channels.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { addDays, formatDay } from '#kit/time.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { ChoiceField } from '#web/form/Choice.tsx'
import { Day } from '#web/form/Day.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import type { ListColumn } from '#web/list/ListPage.tsx'
import { statusColumn, textColumn, timeColumn, wordColumn } from '#web/list/listColumns.tsx'
import type { ListParams } from '#web/list/useListParams.ts'
import type { Tone } from '#web/StatusTag.tsx'
import { usePermission } from '#web/session.ts'
import { toast } from '#web/toast.ts'
import type { payments } from './contract.ts'
import { type DayParams, PaymentList } from './PaymentList.tsx'
import {
  CHANNEL_NAMES,
  RECONCILE_REFUSALS,
  RECONCILIATION_STATUSES,
  type ReconciliationStatus,
} from './rules.ts'

const paymentsApi = api<typeof payments>('payments')

type Answer = Out<typeof payments.reconciliations>
type Row = Answer['rows'][number]
type Params = ListParams & DayParams & { channel?: PayChannelName }

const TONES: Record<ReconciliationStatus, Tone> = { wanted: 'attention', done: 'done', failed: 'problem' }

/** Each day compared with the channels' bills. */
export default function PaymentBills() {
  const mayReconcile = usePermission('payments.reconcile')
  const [asking, setAsking] = useState(false)
  const watch = useWatch()
  return (
    <>
      <PaymentList<Row, Params, Answer>
        title="对账"
        listKey="payments.bills"
        main={
          mayReconcile && (
            <Button kind="primary" onClick={() => setAsking(true)}>
              发起对账
            </Button>
          )
        }
        fetchPage={params => paymentsApi.reconciliations(params)}
        rowKey={row => row.id}
        columns={COLUMNS}
        choices={[{ key: 'channel', label: '支付渠道', names: CHANNEL_NAMES }]}
        byDays
        emptyText="还没有对账记录，每天自动与支付渠道的前一日账单核对"
      />
      {asking && <ReconcileDialog onStarted={watch} onClose={() => setAsking(false)} />}
    </>
  )
}

const LOOK_EVERY_MS = 1_500
const LOOKS_MAX = 20

/** A comparison takes a moment: the list is read anew until it will have ended. */
function useWatch(): () => void {
  const queries = useQueryClient()
  const [looksLeft, setLooksLeft] = useState(0)
  useEffect(() => {
    if (looksLeft === 0) return
    const timer = setTimeout(() => {
      void queries.invalidateQueries({ queryKey: ['payments', 'bills'] })
      setLooksLeft(looksLeft - 1)
    }, LOOK_EVERY_MS)
    return () => clearTimeout(timer)
  }, [looksLeft, queries])
  return () => setLooksLeft(LOOKS_MAX)
}

type Values = { channel: PayChannelName; day: string }

function ReconcileDialog({ onStarted, onClose }: { onStarted: () => void; onClose: () => void }) {
  const queries = useQueryClient()
  const yesterday = addDays(formatDay(new Date()), -1)
  return (
    <FormDialog<Values>
      title="发起对账"
      submitText="对账"
      initial={{ channel: PAY_CHANNELS[0], day: yesterday }}
      refuse={({ day }) => (day > yesterday ? { field: 'day', message: RECONCILE_REFUSALS.DAY_OPEN } : null)}
      onSubmit={async ({ channel, day }) => {
        await paymentsApi.reconcile({ channel, day })
        toast.success('已开始对账，结果稍后显示')
        onStarted()
        await queries.invalidateQueries({ queryKey: ['payments'] })
      }}
      onClose={onClose}
    >
      {form => (
        <>
          {' '}
          <ChoiceField
            form={form}
            name="channel"
            label="支付渠道"
            options={PAY_CHANNELS.map(value => ({ value, label: CHANNEL_NAMES[value] }))}
          />
          <Field form={form} name="day" label="账单日期">
            {control => (
              <Day
                {...control}
                value={form.draft.day}
                onChange={day => form.change({ day: day ?? yesterday })}
                last={yesterday}
                allowClear={false}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  )
}

/** How many, and their sum. */
function sumColumn<Count extends string, Fen extends string>(
  key: Count,
  fen: Fen,
  title: string,
  card?: 'fact',
): ListColumn<Readonly<Record<Count | Fen, number>>> {
  const text = (row: Readonly<Record<Count | Fen, number>>) =>
    `${formatCount(row[key])} 笔 / ${formatCents(row[fen])}`
  return { key, title, width: 160, align: 'right', copy: text, render: text, card }
}

const COLUMNS: ListColumn<Row>[] = [
  textColumn('day', '账单日期', { width: 104, fixed: 'start', card: 'title' }),
  wordColumn('channel', '渠道', CHANNEL_NAMES, { width: 72, card: 'fact' }),
  statusColumn('status', '状态', RECONCILIATION_STATUSES, TONES, { width: 96 }),
  sumColumn('billPayments', 'billFen', '渠道收款（元）', 'fact'),
  sumColumn('ourPayments', 'ourFen', '本方收款（元）', 'fact'),
  sumColumn('billRefunds', 'billRefundFen', '渠道退款（元）'),
  sumColumn('ourRefunds', 'ourRefundFen', '本方退款（元）'),
  {
    key: 'differences',
    title: '差异',
    width: 128,
    render: row =>
      row.differences === 0 ? (
        '—'
      ) : (
        <Link to="." search={{ view: 'differences', reconciliationId: row.id } as never}>
          {formatCount(row.differences)} 笔{row.openDifferences > 0 && `，${row.openDifferences} 笔未处理`}
        </Link>
      ),
    card: 'fact',
  },
  textColumn('problem', '说明', { width: 220, card: 'fact' }),
  timeColumn('comparedAt', '对账时间'),
]
