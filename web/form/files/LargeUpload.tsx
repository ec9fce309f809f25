import { useEffect, useRef, useState } from 'react'
import type { Setting } from '#kit/declare/settings.ts'
import { uploadLarge } from '../../client/uploads.ts'
import { Button, buttonLook } from '../../controls/Button.tsx'
import { look } from '../../controls/look.ts'
import { useOfficeLimit } from '../../shell/limit.ts'
import styles from './LargeUpload.module.css'

const MB = 1_048_576

export type SentFile = { id: string; name: string; byteSize: number }

type Props = {
  /** Of the input. */
  id: string
  label: string
  describedBy: string | undefined
  purpose: string
  /** How many MB it may have. */
  most: Setting
  /** Types that the chooser offers; all when absent. */
  accept?: string
  /** What stands there already, in words; null: nothing. */
  kept: string | null
  onChange: (file: SentFile | null) => void
  onBusy: (busy: boolean) => void
}

/** One large file: chosen, sent with its progress, which can be broken off, and taken away again. */
export function LargeUpload(props: Props) {
  const { id, label, purpose, most, accept, kept, onChange, onBusy } = props
  const mb = useOfficeLimit(most)
  const [share, setShare] = useState<number | null>(null)
  const [message, setMessage] = useState<string | null>(null)
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const take = async (file: File | undefined) => {
    if (!file || share !== null) return
    if (file.size === 0) return setMessage('文件是空的，请重新选择')
    if (file.size > mb * MB) return setMessage(`文件大小不能超过${mb}MB`)
    const stopper = new AbortController()
    stop.current = stopper
    setMessage(null)
    setShare(0)
    onBusy(true)
    try {
      const sent = await uploadLarge(file, purpose, setShare, stopper.signal)
      onChange({ id: sent.id, name: file.name, byteSize: sent.byteSize })
    } catch (error) {
      if (!stopper.signal.aborted) setMessage(error instanceof Error ? error.message : '上传失败')
    } finally {
      setShare(null)
      onBusy(false)
    }
  }
  return (
    <div className={styles.large}>
      <label className={buttonLook()}>
        <input
          id={id}
          type="file"
          className={look.visuallyHidden}
          accept={accept}
          aria-label={label}
          aria-describedby={props.describedBy}
          onChange={event => {
            void take(event.target.files?.[0])
            // The same file may be chosen again after a failure.
            event.target.value = ''
          }}
        />
        {kept === null ? '选择文件' : '更换文件'}
      </label>
      {share !== null ? (
        <>
          <progress value={share} max={1} aria-label="上传进度" />
          <span className={look.number}>{Math.floor(share * 100)}%</span>
          <Button kind="link" onClick={() => stop.current?.abort()}>
            取消上传
          </Button>
        </>
      ) : (
        kept !== null && (
          <>
            <span className={styles.kept}>{kept}</span>
            <Button kind="link" onClick={() => onChange(null)}>
              移除
            </Button>
          </>
        )
      )}
      <span className={styles.note} data-broken={message !== null || undefined} aria-live="polite">
        {message ?? `不超过 ${mb}MB`}
      </span>
    </div>
  )
}
