import { useQuery } from '@tanstack/react-query'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { Select } from '#web/form/Select.tsx'
import type { StaffRow, team } from './contract.ts'
import { SUCCESSOR } from './fields.ts'
import { STAFF_REFUSALS } from './rules.ts'

const teamApi = api<typeof team>('team')

type What = 'delete' | 'disable' | 'handOver'

const WORDS: Record<What, { title: string; submit: string; said: string; note: (name: string) => string }> = {
  delete: {
    title: '删除员工',
    submit: '删除员工',
    said: '删除成功',
    note: name =>
      `删除后，${name}不能再登录，也不在员工列表中；订单和日志里的姓名会保留，登录账号可以再次使用。`,
  },
  disable: {
    title: '停用员工',
    submit: '停用员工',
    said: '已停用',
    note: name => `停用后，${name}的全部设备会下线，不能再登录；可以随时启用。`,
  },
  handOver: {
    title: '移交商户',
    submit: '移交商户',
    said: '移交成功',
    note: name => `${name}负责的商户会换由所选的同事负责。`,
  },
}

/** Ends what a person does here: with it, or alone, the shops go to a colleague. */
export default function EndDialog({
  what,
  person,
  onClose,
}: {
  what: What
  person: StaffRow
  onClose: () => void
}) {
  const { title, submit, said, note } = WORDS[what]
  const hanging = useQuery(teamApi.person.query({ id: person.id }))
  const shops = hanging.data?.shops ?? person.shops
  return (
    <FormDialog
      title={`${title}：${person.name}`}
      submitText={submit}
      danger={what !== 'handOver'}
      of={SUCCESSOR}
      refuse={({ successorId }) =>
        shops > 0 && successorId === null && what !== 'disable'
          ? { field: 'successorId', message: STAFF_REFUSALS.SUCCESSOR_REQUIRED }
          : null
      }
      send={async ({ successorId }) => {
        const { id } = person
        if (what === 'delete') await teamApi.deletePerson({ id, successorId })
        else if (what === 'disable') await teamApi.switchPerson({ id, enabled: false, successorId })
        else await teamApi.handOver({ id, successorId: successorId ?? 0 })
        toast.success(said)
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>{note(person.name)}</FormNote>
          {shops > 0 && (
            <FormFields
              form={form}
              told={{
                successorId: {
                  label: `由谁接手 ${shops} 家商户`,
                  required: what !== 'disable',
                  hint: what === 'disable' ? '留空则仍由他负责' : undefined,
                },
              }}
            >
              {{
                successorId: control => (
                  <Select
                    {...control}
                    value={form.draft.successorId ?? undefined}
                    allowClear
                    placeholder="请选择同事"
                    options={
                      hanging.data && [
                        ...hanging.data.colleagues.map(({ id, name }) => ({ value: id, label: name })),
                        { value: 0, label: '暂不分配' },
                      ]
                    }
                    onChange={successorId => form.change({ successorId: successorId ?? null })}
                  />
                ),
              }}
            </FormFields>
          )}
        </>
      )}
    </FormDialog>
  )
}
