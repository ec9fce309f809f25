import { type ReactNode, useState } from 'react'
import { messageOf } from '#web/client/api.ts'
import styles from './reference.module.css'

/** One piece of work at a time, and what went wrong with the last one, as `say` words it. */
export function useAttempt(say: (error: unknown) => string = messageOf) {
  const [busy, setBusy] = useState(false)
  const [message, setMessage] = useState('')
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    setMessage('')
    try {
      await work()
    } catch (error) {
      setMessage(say(error))
    } finally {
      setBusy(false)
    }
  }
  return { busy, message, attempt }
}

type Props = { accept: string; busy: boolean; onPick: (picked: File) => void; children: ReactNode }

/** A file out of those of the device; the same one can be picked again once it was mended. */
export function FilePick({ accept, busy, onPick, children }: Props) {
  return (
    <label className={styles.pick}>
      {children}
      <input
        type="file"
        accept={accept}
        disabled={busy}
        onChange={({ target }) => {
          const picked = target.files?.[0]
          target.value = ''
          if (picked) onPick(picked)
        }}
      />
    </label>
  )
}

/** Why the last attempt came to nothing. */
export function Problem({ message }: { message: string }) {
  return (
    <p role="alert" className={styles.problem}>
      {message}
    </p>
  )
}
