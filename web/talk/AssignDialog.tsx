import { Field } from '../form/Field.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { Select } from '../form/Select.tsx'

type Props = {
  title: string
  /** Undefined while they are on their way. */
  people: readonly { id: number; name: string }[] | undefined
  assigneeId: number | null
  onAssign: (accountId: number | null) => Promise<void>
  onClose: () => void
}

/** Who answers from now on, or nobody. */
export function AssignDialog({ title, people, assigneeId, onAssign, onClose }: Props) {
  return (
    <FormDialog<{ accountId: number | undefined }>
      title={title}
      submitText="保存"
      initial={{ accountId: assigneeId ?? undefined }}
      onSubmit={({ accountId }) => onAssign(accountId ?? null)}
      onClose={onClose}
    >
      {form => (
        <Field form={form} name="accountId" label="负责人" hint="之后的消息只通知负责人；留空则通知所有同事">
          {control => (
            <Select
              {...control}
              value={form.draft.accountId}
              options={people?.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={accountId => form.change({ accountId })}
              allowClear
              placeholder="未分配"
              loading={people === undefined}
              what="负责人"
            />
          )}
        </Field>
      )}
    </FormDialog>
  )
}
