import { useState } from 'react'
import { formatInstant } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { toast } from '#web/controls/toast.ts'
import { useMore } from '#web/facts/useMore.tsx'
import { Form } from '#web/form/Form.tsx'
import type { partnerDesk } from './contract.ts'
import { NOTE } from './fields.ts'
import { Lines } from './Lines.tsx'
import styles from './partner-desk.module.css'

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
        <div className={styles.noteForm}>
          {/* Empty again once it was kept: another one begins. */}
          <Form
            key={written}
            submitText="记录备注"
            of={NOTE}
            send={async ({ text }) => {
              await deskApi.writeNote({ id, text })
              toast.success('已记录')
              await reread()
            }}
            onDone={() => setWritten(written + 1)}
          />
        </div>
      </Permit>
      <Lines
        label={NOTE.text.label}
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
