import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { DOCUMENT_KINDS } from '#features/care/documents/rules.ts'
import { PICTURE_REFUSALS } from '#kit/picture.ts'
import { messageOf, refusalOf } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { Field } from '#web/form/Field.tsx'
import { shrunkPicture } from '#web/form/files/shrink-picture.ts'
import type { FieldsOf } from '#web/form/useForm.ts'
import styles from './owner.module.css'
import { OWNER_PAPERS, type OwnerPaperName } from './rules.ts'
import { MOST_BYTES, newSending, type Sending, SHRINKINGS, sendPicture } from './sendPicture.tsx'

type Props<Name extends OwnerPaperName> = {
  code: string
  form: FieldsOf<Record<Name, boolean>>
  name: Name
  hint: string | undefined
  isRequired: boolean
  onBusy: (busy: boolean) => void
  /** It is kept. */
  onKept: () => void
}

const AGAIN_AFTER_MS = 5_000

type Stage = { what: 'shrinking' } | { what: 'sending' | 'stopped'; sending: Sending; message: string }

/** One paper: taken with the phone's camera, made smaller, sent, and kept at once. Where the network breaks it goes on by itself. */
export function PaperShot<Name extends OwnerPaperName>({
  code,
  form,
  name,
  hint,
  isRequired,
  onBusy,
  onKept,
}: Props<Name>) {
  const label = DOCUMENT_KINDS[OWNER_PAPERS[name]]
  const input = useRef<HTMLInputElement>(null)
  const noteId = useId()
  const [stage, setStage] = useState<Stage | null>(null)
  const [problem, setProblem] = useState('')
  const [preview, setPreview] = useState('')
  useEffect(() => () => URL.revokeObjectURL(preview), [preview])
  const isKept = form.draft[name] && stage === null
  const send = async (from: Sending) => {
    let sending = from
    setStage({ what: 'sending', sending, message: '' })
    try {
      await sendPicture(code, from, next => {
        sending = next
        setStage({ what: 'sending', sending: next, message: '' })
      })
      setStage(null)
      onBusy(false)
      form.change({ [name]: true } as Record<Name, boolean>)
      onKept()
    } catch (error) {
      // What the server refuses is not sent again as it is.
      if (refusalOf(error)) {
        setStage(null)
        setProblem(messageOf(error))
        onBusy(false)
      } else setStage({ what: 'stopped', sending, message: '网络中断，恢复后自动继续' })
    }
  }
  const goOn = useEffectEvent(() => {
    if (stage?.what === 'stopped') void send(stage.sending)
  })
  useEffect(() => {
    const online = () => goOn()
    window.addEventListener('online', online)
    return () => window.removeEventListener('online', online)
  }, [])
  const isStopped = stage?.what === 'stopped'
  // The browser may have told that it is back before the call had failed, or the server alone was out of reach.
  useEffect(() => {
    if (!isStopped) return
    const timer = setInterval(() => {
      if (navigator.onLine) goOn()
    }, AGAIN_AFTER_MS)
    return () => clearInterval(timer)
  }, [isStopped])
  const take = async (file: File | undefined) => {
    if (!file) return
    setProblem('')
    setStage({ what: 'shrinking' })
    onBusy(true)
    const blob = await shrunkPicture(file, SHRINKINGS, MOST_BYTES)
    if (!blob) {
      setStage(null)
      onBusy(false)
      return setProblem(PICTURE_REFUSALS.PICTURE_BROKEN)
    }
    setPreview(URL.createObjectURL(blob))
    await send(newSending(name, blob))
  }
  return (
    <Field form={form} name={name} label={label} required={isRequired} hint={hint} group>
      {control => (
        <div className={styles.shot}>
          <input
            ref={input}
            hidden
            type="file"
            accept="image/*"
            capture="environment"
            aria-label={`拍摄${label}`}
            onChange={event => {
              void take(event.target.files?.[0])
              event.target.value = ''
            }}
          />
          <button
            type="button"
            id={control.id}
            className={styles.frame}
            disabled={stage !== null}
            aria-label={isKept ? `重新拍摄${label}` : `拍照上传${label}`}
            aria-describedby={noteId}
            data-broken={control['aria-invalid'] || undefined}
            onClick={() => input.current?.click()}
          >
            {preview ? <img src={preview} alt={`${label}预览`} /> : <span>{isKept ? '已保存' : '拍照'}</span>}
            {stage && stage.what !== 'shrinking' && (
              <progress
                max={stage.sending.parts}
                value={stage.sending.done}
                aria-label={`${label}上传进度`}
              />
            )}
          </button>
          <p id={noteId} aria-live="polite" data-problem={problem !== '' || undefined}>
            {problem || noteOf(stage, isKept)}
          </p>
          {stage?.what === 'stopped' && (
            <Button kind="link" onClick={() => void send(stage.sending)}>
              继续上传
            </Button>
          )}
        </div>
      )}
    </Field>
  )
}

function noteOf(stage: Stage | null, isKept: boolean): string {
  if (stage === null) return isKept ? '已保存，点击可重新拍摄' : ''
  if (stage.what === 'shrinking') return '正在压缩…'
  const { message, sending } = stage
  return message || `上传中 ${Math.round((sending.done / sending.parts) * 100)}%`
}
