import { useState } from 'react'
import { messageOf } from '../client/api.ts'
import { reread } from '../client/reread.ts'
import { Button } from '../controls/Button.tsx'
import { look } from '../controls/look.ts'
import { toast } from '../controls/toast.ts'
import { Dialog } from './Dialog.tsx'
import styles from './OrderDialog.module.css'

type Ordered<Id> = { id: Id; title: string; note?: string }

type Props<Id> = {
  title: string
  rows: readonly Ordered<Id>[]
  /** Why the rows could not be loaded. */
  failure?: string
  onSave: (ids: Id[]) => Promise<unknown>
  onClose: () => void
}

/** Puts rows in order, one place up or down at a time. */
export default function OrderDialog<Id extends string | number>(props: Props<Id>) {
  const { title, rows, failure = '', onSave, onClose } = props
  const [moved, setMoved] = useState<Id[] | null>(null)
  const [busy, setBusy] = useState(false)
  const [message, setMessage] = useState('')
  const ids = moved ?? rows.map(row => row.id)
  const move = (at: number, by: number) => {
    const next = [...ids]
    const [taken] = next.splice(at, 1)
    if (taken !== undefined) next.splice(at + by, 0, taken)
    setMoved(next)
  }
  const save = async () => {
    setBusy(true)
    setMessage('')
    try {
      await onSave(ids)
      toast.success('顺序已保存')
      await reread()
      onClose()
    } catch (error) {
      setMessage(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={title}
      width={480}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button
            kind="primary"
            busy={busy}
            disabled={moved === null && '顺序没有变化'}
            onClick={() => void save()}
          >
            保存顺序
          </Button>
        </>
      }
    >
      <ol className={styles.order}>
        {ids.map((id, i) => {
          const row = rows.find(known => known.id === id)
          return (
            <li key={id}>
              <span className={`${look.number} ${look.quiet}`}>{i + 1}</span>
              <span data-tip-cut>{row?.title}</span>
              {row?.note && <small>{row.note}</small>}
              <Button
                kind="link"
                disabled={i === 0 && '已在最前'}
                aria-label={`上移 ${row?.title}`}
                onClick={() => move(i, -1)}
              >
                上移
              </Button>
              <Button
                kind="link"
                disabled={i === ids.length - 1 && '已在最后'}
                aria-label={`下移 ${row?.title}`}
                onClick={() => move(i, 1)}
              >
                下移
              </Button>
            </li>
          )
        })}
      </ol>
      <p className={styles.message} role="alert">
        {message || failure}
      </p>
    </Dialog>
  )
}
