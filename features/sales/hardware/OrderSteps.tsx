import { SHOWN_ORDER_CHARS } from '#features/money/ledger/rules.ts'
import type { RowAction } from '#web/list/list-props.ts'
// Owns what can be done with an order from the page: the actions of a row, their questions and dialogs.

import { useMutation } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { formatCents } from '#kit/money.ts'
import { api, refusalOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { allows, useSession } from '#web/client/session.ts'
import { confirm } from '#web/controls/confirm.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import type { hardware, OrderRow } from './contract.ts'
import { type HardwareRefusal, REFUSALS, refuseCancel, refuseReceive, refuseStep } from './rules.ts'

const hardwareApi = api<typeof hardware>('hardware')
const ShipDialog = lazy(() => import('./ShipDialog.tsx'))
const TakeBackDialog = lazy(() => import('./TakeBackDialog.tsx'))

type Asking = { what: 'ship' | 'cancel' | 'return'; row: OrderRow }

const WORDS = {
  receive: {
    title: '确认已收到货物？',
    confirmText: '确认收货',
    done: '确认收货成功',
    text: '请在收到并清点货物后确认。收货后 15 天内可以申请退货，之后交易自动完成。',
  },
  complete: {
    title: '将订单置为交易完成？',
    confirmText: '交易完成',
    done: '操作成功',
    text: '完成后不能再退货。',
  },
} as const

/** Actions of an order for who is signed in, and the dialogs they open. */
export function useOrderSteps() {
  const session = useSession()
  const [asking, setAsking] = useState<Asking | null>(null)
  const step = useMutation({
    mutationFn: ({ what, row }: { what: keyof typeof WORDS; row: OrderRow }) =>
      hardwareApi[what]({ orderNo: row.orderNo }),
    onSuccess: (_answer, { what }) => toast.success(WORDS[what].done),
    onError: error => toast.error(refusalOf(error)?.message ?? '操作失败'),
    onSettled: (_answer, error) => (error ? readAgain('hardware') : reread()),
  })
  const ask = async (what: keyof typeof WORDS, row: OrderRow) => {
    const { done: _done, text, ...words } = WORDS[what]
    const order = `订单 ${row.orderNo.slice(-SHOWN_ORDER_CHARS)}，${formatCents(row.totalCents)} 代币。`
    if (!step.isPending && (await confirm({ ...words, text: order + text }))) step.mutate({ what, row })
  }
  const actionsOf = (row: OrderRow): RowAction[] => {
    const now = new Date().toISOString()
    const isOwn = row.agentId === session.agentId
    const action = (
      key: string,
      label: string,
      permission: string,
      refusal: HardwareRefusal | null,
      onClick: () => void,
    ): RowAction[] =>
      allows(session, permission)
        ? [
            {
              key,
              label,
              onClick,
              disabled: refusal && REFUSALS[refusal],
              danger: key === 'cancel' || key === 'return',
            },
          ]
        : []
    const forStaff = allows(session, 'hardware.ship')
    return [
      ...action('ship', '发货', 'hardware.ship', refuseStep(row, 'ship', now), () =>
        setAsking({ what: 'ship', row }),
      ),
      ...(isOwn
        ? action(
            'receive',
            '确认收货',
            'hardware.receive',
            refuseReceive(row, session, now),
            () => void ask('receive', row),
          )
        : []),
      ...(isOwn && !forStaff
        ? action('cancel', '取消订单', 'hardware.shop', refuseCancel(row, now), () =>
            setAsking({ what: 'cancel', row }),
          )
        : []),
      ...(row.deliveryStatus === 'awaitingShipment'
        ? action('cancel', '取消订单', 'hardware.ship', null, () => setAsking({ what: 'cancel', row }))
        : action('return', '退货', 'hardware.ship', refuseStep(row, 'return', now), () =>
            setAsking({ what: 'return', row }),
          )),
      ...action(
        'complete',
        '交易完成',
        'hardware.ship',
        refuseStep(row, 'complete', now),
        () => void ask('complete', row),
      ),
    ]
  }
  const close = () => setAsking(null)
  const dialogs = asking && (
    <Suspense>
      {asking.what === 'ship' ? (
        <ShipDialog order={asking.row} onClose={close} />
      ) : (
        <TakeBackDialog order={asking.row} what={asking.what} onClose={close} />
      )}
    </Suspense>
  )
  return { actionsOf, dialogs }
}
