import { type ComponentProps, type DragEvent, useEffect, useRef, useState } from 'react'
import type { Setting } from '#kit/declare/settings.ts'
import {
  bytesOf,
  PICTURE_KB,
  PICTURE_REFUSALS,
  PICTURE_TYPES,
  pictureAddress,
  pictureRefusalText,
  refusePicture,
  sizeText,
} from '#kit/picture.ts'
import { uploadPicture } from '../../client/uploads.ts'
import { Button } from '../../controls/Button.tsx'
import { look } from '../../controls/look.ts'
import { useOfficeLimit } from '../../shell/limit.ts'
import { Field } from '../Field.tsx'
import type { FieldsOf } from '../useForm.ts'
import styles from './Upload.module.css'
import type { Uploads } from './uploads.ts'

type Props = {
  /** Of the input. */
  id?: string
  /** The id of an upload, or of what `send` makes of one. */
  value: string | null
  onChange: (id: string | null) => void
  /** What the picture is for; the server knows who may send such. */
  purpose: string
  label: string
  /** Where the picture of a value lies, if not with the pictures. */
  address?: (value: string) => string
  /** Keeps the picture and answers the new value, where that is not the upload's id. */
  send?: typeof uploadPicture
  /** What is said to several pictures at once. */
  onlyOne: string
  onBusy?: (busy: boolean) => void
  /** How many KB it may have, where it is not the usual limit. */
  most?: Setting
  /** Who takes the picture in the end takes no larger one, whatever is allowed here. */
  mostBytes?: number
  /** What else is said of the picture that is wanted. */
  hint?: string
  /** The frame of a sign that is broader than high. */
  wide?: boolean
  /** The frame of a card or a certificate, large enough to be read. */
  paper?: boolean
}

type Sending = { share: number; preview: string }

/** One picture: chosen or dropped, checked before it is sent, shown while it is sent. */
export function Upload(props: Props) {
  const { id, value, onChange, purpose, label, onlyOne, onBusy, most = PICTURE_KB, hint } = props
  const { address = pictureAddress, send = uploadPicture } = props
  const maxBytes = Math.min(bytesOf(useOfficeLimit(most)), props.mostBytes ?? Number.POSITIVE_INFINITY)
  const [sending, setSending] = useState<Sending | null>(null)
  /** What was chosen here is shown from here: its bytes need not come back. */
  const [sent, setSent] = useState<{ value: string; preview: string } | null>(null)
  useEffect(() => () => URL.revokeObjectURL(sent?.preview ?? ''), [sent])
  const [message, setMessage] = useState<string | null>(null)
  const [over, setOver] = useState(false)
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const take = async (files: readonly File[]) => {
    const [file] = files
    if (!file || sending) return
    if (files.length > 1) return setMessage(onlyOne)
    const refusal = refusePicture(file, maxBytes)
    if (refusal) return setMessage(pictureRefusalText(refusal, maxBytes))
    const preview = URL.createObjectURL(file)
    stop.current = new AbortController()
    setMessage(null)
    setSending({ share: 0, preview })
    onBusy?.(true)
    try {
      const progress = (share: number) => setSending({ share, preview })
      const id = await send(file, purpose, progress, stop.current.signal)
      setSent({ value: id, preview })
      onChange(id)
    } catch (error) {
      URL.revokeObjectURL(preview)
      setMessage(error instanceof Error ? error.message : PICTURE_REFUSALS.PICTURE_BROKEN)
    } finally {
      setSending(null)
      onBusy?.(false)
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void take([...event.dataTransfer.files])
  }
  const kept = value !== null && sent?.value === value ? sent.preview : value && address(value)
  const shown = sending?.preview ?? kept
  return (
    <div className={styles.pictureUpload}>
      <label
        className={styles.pictureUploadFrame}
        data-wide={props.wide || undefined}
        data-paper={props.paper || undefined}
        data-over={over || undefined}
        data-broken={message !== null || undefined}
        onDragOver={event => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        onPaste={event => void take([...event.clipboardData.files])}
      >
        <input
          id={id}
          type="file"
          className={look.visuallyHidden}
          accept={PICTURE_TYPES.join(',')}
          aria-label={label}
          aria-describedby={`${id}-note`}
          onChange={event => {
            void take([...(event.target.files ?? [])])
            // The same file may be chosen again after a failure.
            event.target.value = ''
          }}
        />
        {shown ? <img src={shown} alt={label} /> : '选择图片'}
      </label>
      <div className={styles.pictureUploadSide}>
        {sending ? (
          <progress value={sending.share} max={1} aria-label="上传进度" />
        ) : (
          value !== null && (
            <Button kind="link" onClick={() => onChange(null)}>
              移除图片
            </Button>
          )
        )}
        <span
          id={`${id}-note`}
          className={styles.pictureUploadNote}
          data-broken={message !== null || undefined}
          aria-live="polite"
        >
          {message ??
            (sending
              ? '上传中'
              : `jpg、jpeg 或 png，不超过 ${sizeText(maxBytes)}，${hint ? `${hint}，` : ''}可拖入`)}
        </span>
      </div>
    </div>
  )
}

type PictureProps<Name extends string> = Omit<
  ComponentProps<typeof Upload>,
  'id' | 'value' | 'onChange' | 'label' | 'onBusy'
> & {
  form: FieldsOf<Record<Name, string | null>>
  name: Name
  label: string
  /** Of the picture, where the field's says less. */
  picture?: string
  uploads: Uploads
}

/** One picture of a form, under its label. */
export function PictureField<Name extends string>(props: PictureProps<Name>) {
  const { form, name, label, picture = label, uploads, ...upload } = props
  return (
    <Field form={form} name={name} label={label}>
      {({ id }) => (
        <Upload
          {...upload}
          id={id}
          value={form.draft[name]}
          onChange={picked => form.change({ [name]: picked } as Record<Name, string | null>)}
          label={picture}
          onBusy={uploads.at(name)}
        />
      )}
    </Field>
  )
}
