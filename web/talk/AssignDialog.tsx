import type { Fields } from '#kit/declare/fields.ts'
import { FormDialog } from '../form/FormDialog.tsx'
import { FormFields } from '../form/FormFields.tsx'
import { Select } from '../form/Select.tsx'

type Props = {
  title: string
  /** Undefined while they are on their way. */
  people: readonly { id: number; name: string }[] | undefined
  assigneeId: number | null
  onAssign: (accountId: number | null) => Promise<void>
  onClose: () => void
}

const ASSIGNEE = {
  accountId: {
    kind: 'id',
    label: '负责人',
    nullable: true,
    control: { as: 'own', hint: '之后的消息只通知负责人；留空则通知所有同事' },
  },
} as const satisfies Fields

/** Who answers from now on, or nobody. */
export function AssignDialog({ title, people, assigneeId, onAssign, onClose }: Props) {
  return (
    <FormDialog
      title={title}
      submitText="保存"
      of={ASSIGNEE}
      known={{ accountId: assigneeId }}
      send={({ accountId }) => onAssign(accountId)}
      onClose={onClose}
    >
      {form => (
        <FormFields form={form}>
          {{
            accountId: control => (
              <Select
                {...control}
                value={form.draft.accountId ?? undefined}
                options={people?.map(({ id, name }) => ({ value: id, label: name }))}
                onChange={accountId => form.change({ accountId: accountId ?? null })}
                allowClear
                placeholder="未分配"
                loading={people === undefined}
                what={ASSIGNEE.accountId.label}
              />
            ),
          }}
        </FormFields>
      )}
    </FormDialog>
  )
}
