import { useRef, useState } from 'react'
import type { Setting } from '#kit/declare/settings.ts'
import {
  bytesOf,
  PICTURE_REFUSALS,
  PICTURE_TYPES,
  pictureAddress,
  pictureRefusalText,
  refusePicture,
  sizeText,
} from '#kit/picture.ts'
import { TALK_LIMITS } from '#kit/words/talk.ts'
import { uploadPicture } from '../client/uploads.ts'
import { Button } from '../controls/Button.tsx'
import { look } from '../controls/look.ts'
import type { Form } from '../form/useForm.ts'
import { useOfficeLimit } from '../shell/limit.ts'
import styles from './talk.module.css'

type Pictured = { pictures: readonly string[] }

export type Pictures = {
  chosen: readonly string[]
  busy: boolean
  message: string | null
  maxBytes: number
  take: (files: readonly File[]) => void
  remove: (id: string) => void
}

/** What the pictures are uploaded for, and how many KB each may have. */
export type PictureUse = { purpose: string; most: Setting }

/** Up to five pictures of a message, sent as they are chosen or pasted. */
export function usePictures<D extends Pictured>(form: Form<D>, { purpose, most }: PictureUse): Pictures {
  const maxBytes = bytesOf(useOfficeLimit(most))
  const [busy, setBusy] = useState(false)
  const [message, setMessage] = useState<string | null>(null)
  // What was chosen while others are on their way comes after them.
  const chosen = useRef<readonly string[]>([])
  chosen.current = form.draft.pictures
  const keep = (ids: readonly string[]) => {
    chosen.current = ids
    form.change({ pictures: ids } as Partial<D>)
  }
  const send = async (files: readonly File[]) => {
    setBusy(true)
    try {
      for (const file of files) {
        const id = await uploadPicture(file, purpose, () => undefined, new AbortController().signal)
        keep([...chosen.current, id])
      }
    } catch (error) {
      setMessage(error instanceof Error ? error.message : PICTURE_REFUSALS.PICTURE_BROKEN)
    } finally {
      setBusy(false)
    }
  }
  return {
    chosen: form.draft.pictures,
    busy,
    message,
    maxBytes,
    take: files => {
      if (files.length === 0 || busy) return
      setMessage(null)
      if (chosen.current.length + files.length > TALK_LIMITS.pictures)
        return setMessage(`最多上传${TALK_LIMITS.pictures}张图片`)
      const refusal = files.map(file => refusePicture(file, maxBytes)).find(code => code !== null)
      if (refusal) return setMessage(pictureRefusalText(refusal, maxBytes))
      void send(files)
    },
    remove: id => {
      setMessage(null)
      keep(chosen.current.filter(one => one !== id))
    },
  }
}

export function AddPictures({ pictures }: { pictures: Pictures }) {
  const { take, busy, maxBytes } = pictures
  return (
    <label
      className={styles.add}
      data-busy={busy || undefined}
      data-tip={`jpg 或 png，最多 ${TALK_LIMITS.pictures} 张，每张不超过 ${sizeText(maxBytes)}，也可以粘贴`}
    >
      <input
        type="file"
        multiple
        className={look.visuallyHidden}
        accept={PICTURE_TYPES.join(',')}
        aria-label="添加图片"
        onChange={event => {
          take([...(event.target.files ?? [])])
          // The same file may be chosen again after a failure.
          event.target.value = ''
        }}
      />
      {busy ? '上传中' : '添加图片'}
    </label>
  )
}

export function ChosenPictures({ pictures: { chosen, remove } }: { pictures: Pictures }) {
  if (chosen.length === 0) return null
  return (
    <ul className={styles.chosen}>
      {chosen.map((id, at) => (
        <li key={id}>
          <img src={pictureAddress(id)} alt={`待发送的图片 ${at + 1}`} />
          <Button kind="link" aria-label={`移除图片 ${at + 1}`} onClick={() => remove(id)}>
            移除
          </Button>
        </li>
      ))}
    </ul>
  )
}
