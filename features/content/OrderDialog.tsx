import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { Dialog } from '#web/form/Dialog.tsx'
import { look } from '#web/look.ts'
import { reread } from '#web/reread.ts'
import { toast } from '#web/toast.ts'
import styles from './content.module.css'
import { REORDER_MOST } from './rules.ts'
import { contentApi } from './Shown.tsx'

/** Puts the carousel in order, one place up or down at a time. */
export default function OrderDialog({ onClose }: { onClose: () => void }) {
  const list = useQuery({
    ...contentApi.list.query({ kind: 'carousel', page: 1, size: REORDER_MOST }),
    staleTime: 0,
    gcTime: 0,
  })
  const [moved, setMoved] = useState<number[] | null>(null)
  const [busy, setBusy] = useState(false)
  const [message, setMessage] = useState('')
  const rows = list.data?.rows ?? []
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
      await contentApi.reorder({ ids })
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
      title="调整轮播图顺序"
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
      <ol className={styles.contentOrder}>
        {ids.map((id, i) => {
          const row = rows.find(known => known.id === id)
          return (
            <li key={id}>
              <span className={`${look.number} ${look.quiet}`}>{i + 1}</span>
              <span data-tip-cut>{row?.title}</span>
              {row && !row.enabled && <small>已停用</small>}
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
      <p className={styles.contentOrderMessage} role="alert">
        {message || (list.isError ? messageOf(list.error) : '')}
      </p>
    </Dialog>
  )
}
