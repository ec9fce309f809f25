import { useEffect, useRef, useState } from 'react'
import { PICTURE_TYPES, sizeText } from '#kit/picture.ts'
import { uploadPicture } from '../../client/uploads.ts'
import { Button } from '../../controls/Button.tsx'
import styles from './FileChoice.module.css'

const TYPES: readonly string[] = [...PICTURE_TYPES, 'application/pdf']

/** What a field of a file says below it. */
export const fileHint = (maxBytes: number) => `jpg、jpeg、png 或 pdf，不超过 ${sizeText(maxBytes)}`

type Props = {
  id: string | undefined
  label: string
  /** What the file is for; the server knows who may send such. */
  purpose: string
  maxBytes: number
  /** How much of it is sent, 0 to 1; null: nothing is on its way. */
  sending: number | null
  onSending: (share: number | null) => void
  /** `name` as it was called, without its ending. */
  onChange: (fileId: string | null, name: string) => void
}

/** A picture or a PDF, sent as soon as it is chosen. */
export function FileChoice({ id, label, purpose, maxBytes, sending, onSending, onChange }: Props) {
  const [told, setTold] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const take = async (file: File | undefined) => {
    if (!file) return
    stop.current?.abort()
    onChange(null, '')
    if (!TYPES.includes(file.type)) return setTold('文件格式须为 jpg、jpeg、png 或 pdf')
    if (file.size > maxBytes) return setTold(`文件不能超过 ${sizeText(maxBytes)}`)
    const current = new AbortController()
    stop.current = current
    setTold('')
    onSending(0)
    try {
      const fileId = await uploadPicture(file, purpose, onSending, current.signal)
      onChange(fileId, file.name.replace(/\.\w+$/, ''))
      setTold(`已上传：${file.name}`)
    } catch (error) {
      if (!current.signal.aborted) setTold(error instanceof Error ? error.message : '上传失败，请重试')
    } finally {
      if (stop.current === current) onSending(null)
    }
  }
  return (
    <div className={styles.choice}>
      <input
        ref={input}
        hidden
        type="file"
        accept={TYPES.join(',')}
        aria-label={label}
        onChange={event => {
          void take(event.target.files?.[0])
          // The same file may be chosen again after a failure.
          event.target.value = ''
        }}
      />
      <Button id={id} changes busy={sending !== null} onClick={() => input.current?.click()}>
        {told === '' ? '选择文件' : '重新选择'}
      </Button>
      {sending !== null && <progress value={sending} max={1} aria-label="上传进度" />}
      <p aria-live="polite">{told}</p>
    </div>
  )
}
