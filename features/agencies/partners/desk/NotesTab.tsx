import { useState } from 'react'
import { formatInstant } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { Permit } from '#web/controls/Permit.tsx'
import { toast } from '#web/controls/toast.ts'
import { useMore } from '#web/facts/useMore.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { useLeaveGuard } from '#web/form/leave.ts'
import { TextField } from '#web/form/TextField.tsx'
import { useForm } from '#web/form/useForm.ts'
import type { partnerDesk } from './contract.ts'
import { Lines } from './Lines.tsx'
import styles from './partner-desk.module.css'
import { DESK_REFUSALS, LIMITS, refuseNote } from './rules.ts'

const deskApi = api<typeof partnerDesk>('partnerDesk')

/** What staff wrote about a partner, the latest first; nothing of it is changed or taken away. */
export default function NotesTab({ id }: { id: number }) {
  const [written, setWritten] = useState(0)
  const { query, rows, more } = useMore(
    ['partnerDesk', 'notes', id],
    before => deskApi.notes({ id, ...(before === undefined ? {} : { before }) }),
    '更早的备注',
  )
  return (
    <>
      <Permit permission="partnerDesk.write">
        <NoteForm key={written} id={id} onDone={() => setWritten(written + 1)} />
      </Permit>
      <Lines
        label="备注"
        query={query}
        empty="还没有备注。备注只有厂商工作人员可见"
        lines={rows?.map(note => ({
          key: note.id,
          title: <span className={styles.noteText}>{note.text}</span>,
          note: `${note.createdByName} ${formatInstant(note.createdAt)}`,
        }))}
        more={more}
      />
    </>
  )
}

/** Empty again once it was kept: another one begins. */
function NoteForm({ id, onDone }: { id: number; onDone: () => void }) {
  const form = useForm({
    initial: { text: '' },
    judge: ({ text }) => {
      const code = refuseNote(text)
      return code && { field: 'text', message: DESK_REFUSALS[code] }
    },
    send: async ({ text }) => {
      await deskApi.writeNote({ id, text: text.trim() })
      toast.success('已记录')
      await reread()
    },
    onDone,
  })
  useLeaveGuard(form.isUnsaved)
  return (
    <FormElement className={styles.noteForm} onSubmit={() => void form.submit()}>
      <TextField
        form={form}
        name="text"
        label="新备注"
        rows={3}
        count={LIMITS.note}
        placeholder="如：电话沟通的内容、约定的事项。写下后不能修改，该合作伙伴看不到"
      />
      <p role="alert" className={styles.message}>
        {form.message}
      </p>
      <Button kind="primary" type="submit" busy={form.busy}>
        记录备注
      </Button>
    </FormElement>
  )
}
