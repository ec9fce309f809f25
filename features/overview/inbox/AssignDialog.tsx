import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { Select } from '#web/form/Select.tsx'
import { ASSIGNMENT } from './fields.ts'
import { type InboxRow, inboxApi, namedOf, tellDone } from './inboxApi.tsx'

type Props = { rows: readonly InboxRow[]; onDone: () => void; onClose: () => void }

const NOBODY = 0

/** Who is to do it: of the colleagues those who may. */
export default function AssignDialog({ rows, onDone, onClose }: Props) {
  const sources = [...new Set(rows.map(({ source }) => source))].join(',')
  const people = useQuery(inboxApi.people.query({ sources }))
  const [first] = rows
  const offered = people.data && [
    { value: NOBODY, label: '无人负责' },
    ...people.data.rows.map(({ id, name }) => ({ value: id, label: name })),
  ]
  return (
    <FormDialog
      title={first && rows.length === 1 ? `指派「${first.title}」` : `指派 ${rows.length} 项待办`}
      submitText="指派"
      of={ASSIGNMENT}
      known={{ accountId: first?.assigneeId ?? NOBODY }}
      send={async ({ accountId }) => {
        const answer = await inboxApi
          .assign({ items: namedOf(rows), accountId: accountId === NOBODY ? null : accountId })
          .catch((error: unknown) => {
            readAgain('inbox')
            throw error
          })
        tellDone(answer, done => `${accountId === NOBODY ? '已放回' : '已指派'} ${done} 项`)
        onDone()
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>
            {people.isError ? messageOf(people.error) : '只列出有权限处理的同事；指派后会收到消息'}
          </FormNote>
          <FormFields form={form}>
            {{
              accountId: control => (
                <Select
                  {...control}
                  value={offered ? (form.draft.accountId ?? NOBODY) : undefined}
                  options={offered}
                  loading={people.isPending}
                  onChange={accountId => form.change({ accountId: accountId ?? NOBODY })}
                />
              ),
            }}
          </FormFields>
        </>
      )}
    </FormDialog>
  )
}
