import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import { Button } from '#web/controls/Button.tsx'
import { DeadlinePicker } from '#web/form/dates/InstantPicker.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { AssignDialog } from '#web/talk/AssignDialog.tsx'
import { TalkSteps } from '#web/talk/Talk.tsx'
import { ORDER_DUE, ORDER_STEPS_SAID } from './fields.ts'
import {
  CHARGE_REFUSALS,
  mayStep,
  ORDER_STATES,
  refuseCharge,
  refuseDue,
  refuseStep,
  STAFF_STEPS,
  STEP_REFUSALS,
  type StaffStep,
  WORK_ORDER_STEPS,
} from './rules.ts'
import { settled, settling } from './settled.tsx'
import { type ShownOrder, workOrdersApi } from './workOrdersApi.tsx'

type Props = { order: ShownOrder }
type Opened = 'ask' | 'finish' | 'assign' | 'due' | null

/** Along with which something is said to the partner. */
const SAID = ['ask', 'finish'] as const satisfies readonly StaffStep[]
const isSaid = (step: StaffStep): step is (typeof SAID)[number] => (SAID as readonly string[]).includes(step)

/** What the vendor's staff do with it: the steps that its state has, who does it, by when. */
export function VendorSteps({ order }: Props) {
  const [open, setOpen] = useState<Opened>(null)
  const history = useHistory()
  const { id, revision, state } = order
  const steps = (Object.keys(STAFF_STEPS) as StaffStep[]).filter(step => mayStep(state, step))
  const charge = refuseCharge(order, revision)
  const take = useMutation({
    mutationFn: (step: StaffStep) => workOrdersApi.step({ id, step, revision }),
    ...settling('已更新状态'),
  })
  const close = () => setOpen(null)
  return (
    <TalkSteps>
      {steps.map((step, at) => (
        <Button
          key={step}
          kind={at === 0 ? 'primary' : 'plain'}
          changes
          busy={take.isPending && take.variables === step}
          onClick={() => (isSaid(step) ? setOpen(step) : take.mutate(step))}
        >
          {STAFF_STEPS[step]}
        </Button>
      ))}
      <Button changes disabled={charge && CHARGE_REFUSALS[charge]} onClick={() => setOpen('assign')}>
        分配
      </Button>
      <Button changes disabled={charge && CHARGE_REFUSALS[charge]} onClick={() => setOpen('due')}>
        截止时间
      </Button>
      {history.actionsOf({ kind: 'workOrder', id, name: order.title }).map(({ key, label, onClick }) => (
        <Button key={key} kind="quiet" onClick={onClick}>
          {label}
        </Button>
      ))}
      {(open === 'ask' || open === 'finish') && <StepDialog order={order} step={open} onClose={close} />}
      {open === 'assign' && <OrderAssignDialog order={order} onClose={close} />}
      {open === 'due' && <DueDialog order={order} onClose={close} />}
      {history.drawer}
    </TalkSteps>
  )
}

type DialogProps = Props & { onClose: () => void }

const SAID_NOTES = {
  ask: '代理商补充之前不计处理时间，补充后自动继续处理。',
  finish: '代理商可以评价，不满意时可以重新打开。',
} as const

function StepDialog({ order, step, onClose }: DialogProps & { step: keyof typeof SAID_NOTES }) {
  const { id, revision } = order
  return (
    <FormDialog
      title={STAFF_STEPS[step]}
      submitText={STAFF_STEPS[step]}
      of={ORDER_STEPS_SAID[step]}
      refuse={({ text }) => {
        const code = refuseStep(order, { step, revision, text })
        return code && { field: 'text', message: STEP_REFUSALS[code] }
      }}
      send={({ text }) =>
        settled(
          workOrdersApi.step({ id, step, revision, text }),
          `工单${ORDER_STATES[WORK_ORDER_STEPS[step].to]}`,
        )
      }
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>{SAID_NOTES[step]}</FormNote>
          <FormFields form={form} told={{ text: { 'data-autofocus': true } }} />
        </>
      )}
    </FormDialog>
  )
}

function OrderAssignDialog({ order: { id, revision, assigneeId }, onClose }: DialogProps) {
  const people = useQuery(workOrdersApi.people.query())
  return (
    <AssignDialog
      title="分配工单"
      people={people.data?.rows}
      assigneeId={assigneeId}
      onAssign={accountId => settled(workOrdersApi.assign({ id, accountId, revision }), '已分配')}
      onClose={onClose}
    />
  )
}

function DueDialog({ order: { id, revision, dueAt }, onClose }: DialogProps) {
  const [now] = useState(Date.now)
  return (
    <FormDialog
      title="修改截止时间"
      submitText="保存"
      of={ORDER_DUE}
      known={{ ...(dueAt && { dueAt }) }}
      refuse={draft => {
        const code = refuseDue(draft.dueAt, now)
        return code && { field: 'dueAt', message: CHARGE_REFUSALS[code] }
      }}
      send={draft => settled(workOrdersApi.setDue({ id, dueAt: draft.dueAt, revision }), '已修改截止时间')}
      onClose={onClose}
    >
      {form => (
        <FormFields form={form}>
          {{
            dueAt: control => (
              <DeadlinePicker
                {...control}
                now={now}
                value={form.draft.dueAt}
                onChange={due => form.change({ dueAt: due })}
              />
            ),
          }}
        </FormFields>
      )}
    </FormDialog>
  )
}
