import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { useOfficeLimit } from '#web/shell/limit.ts'
import { TalkSteps } from '#web/talk/Talk.tsx'
import { ORDER_RATING, REOPENING } from './fields.ts'
import { PARTNER_REFUSALS, refuseRating, refuseRemoval, refuseReopen, WORK_ORDER_DAYS } from './rules.ts'
import { settled, settling } from './settled.tsx'
import { type ShownOrder, workOrdersApi } from './workOrdersApi.tsx'

type Props = { order: ShownOrder; onClose: () => void }

/** What the partner does with it: rates what was done, is not satisfied, ends it, takes it back while it is new. */
export function PartnerSteps({ order, onClose }: Props) {
  const [open, setOpen] = useState<'rate' | 'reopen' | null>(null)
  const { accountId } = useSession()
  const days = useOfficeLimit(WORK_ORDER_DAYS)
  const [now] = useState(Date.now)
  const isDone = order.doneAt !== null
  const reopen = refuseReopen(order, now, days)
  const done = () => setOpen(null)
  return (
    <TalkSteps>
      {isDone && refuseRating(order, '') === null && (
        <Button kind="primary" onClick={() => setOpen('rate')}>
          评价
        </Button>
      )}
      {order.state === 'done' && (
        <Button changes disabled={reopen && PARTNER_REFUSALS[reopen]} onClick={() => setOpen('reopen')}>
          重新打开
        </Button>
      )}
      {order.state !== 'closed' && <CloseButton order={order} />}
      {refuseRemoval(order, accountId) === null && <RemoveButton order={order} onClose={onClose} />}
      {open === 'rate' && <RateDialog order={order} onClose={done} />}
      {open === 'reopen' && <ReopenDialog order={order} onClose={done} />}
    </TalkSteps>
  )
}

function CloseButton({ order: { id } }: Pick<Props, 'order'>) {
  const close = useMutation({ mutationFn: () => workOrdersApi.close({ id }), ...settling('工单已关闭') })
  return (
    <Button
      changes
      busy={close.isPending}
      onClick={async () => {
        const question = {
          title: '关闭工单？',
          text: '关闭后厂商不再处理，双方都不能再回复。',
          confirmText: '关闭工单',
        }
        if (await confirm(question)) close.mutate()
      }}
    >
      关闭工单
    </Button>
  )
}

function RemoveButton({ order: { id, title }, onClose }: Props) {
  const { onSuccess, ...rest } = settling('工单已删除')
  const remove = useMutation({
    mutationFn: () => workOrdersApi.remove({ id }),
    ...rest,
    onSuccess: () => {
      onSuccess()
      onClose()
    },
  })
  return (
    <Button
      changes
      busy={remove.isPending}
      onClick={async () => {
        const question = {
          title: `删除工单「${title}」？`,
          text: '厂商还没有受理，删除后不能找回。',
          confirmText: '删除工单',
          danger: true,
        }
        if (await confirm(question)) remove.mutate()
      }}
    >
      删除工单
    </Button>
  )
}

function RateDialog({ order, onClose }: Props) {
  return (
    <FormDialog
      title="评价工单"
      submitText="提交评价"
      of={ORDER_RATING}
      refuse={({ text }) => {
        const code = refuseRating(order, text)
        return code && { field: 'text', message: PARTNER_REFUSALS[code] }
      }}
      send={({ satisfaction, text }) =>
        settled(workOrdersApi.rate({ id: order.id, satisfaction, text }), '感谢您的评价')
      }
      onClose={onClose}
    />
  )
}

function ReopenDialog({ order: { id }, onClose }: Props) {
  return (
    <FormDialog
      title="重新打开工单"
      submitText="重新打开"
      of={REOPENING}
      send={({ reason }) => settled(workOrdersApi.reopen({ id, reason }), '工单已重新打开')}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>厂商会继续处理，处理时间重新计算。</FormNote>
          <FormFields form={form} told={{ reason: { 'data-autofocus': true } }} />
        </>
      )}
    </FormDialog>
  )
}
