import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { refuseText, TALK_LIMITS } from '#kit/words/talk.ts'
import { refusalOf } from '../client/api.ts'
import { readAgain, reread } from '../client/reread.ts'
import { Button } from '../controls/Button.tsx'
import { look } from '../controls/look.ts'
import { Menu } from '../controls/Menu.tsx'
import { toast } from '../controls/toast.ts'
import { Choice } from '../form/Choice.tsx'
import { FormElement } from '../form/FormElement.tsx'
import { useLeaveGuard } from '../form/leave.ts'
import { TextInput } from '../form/TextField.tsx'
import { type Form, useForm } from '../form/useForm.ts'
import { AddPictures, ChosenPictures, type PictureUse, usePictures } from './AddPictures.tsx'
import styles from './talk.module.css'

type Draft = { text: string; kind: 'reply' | 'note'; pictures: readonly string[] }
const EMPTY: Draft = { text: '', kind: 'reply', pictures: [] }

export type Answers = { rows: readonly { id: number; name: string; text: string }[] }

type Props = {
  words: {
    /** 回复商户 */
    reply: string
    placeholder: string
    /** By the codes of `refuseText`. */
    refusals: Readonly<Record<'CONTENT_REQUIRED' | 'CONTENT_TOO_LONG', string>>
  }
  /** Why nothing can be said to the other side; null: it can. */
  over: string | null
  reply: (said: { text: string; pictures: string[] }, idempotencyKey: string) => Promise<unknown>
  /** Absent: there are no colleagues to leave one for. */
  note?: (text: string, idempotencyKey: string) => Promise<unknown>
  pictures: PictureUse
  /** It takes none. */
  withoutPictures?: boolean
  /** Canned replies, and one of them as it reads here. */
  answers?: { query: UseQueryOptions<Answers>; filled: (text: string) => string }
  onTyping: () => void
  /** What is asked for again where a message is refused: somebody was quicker. */
  stale: string
}

/** What is said next: to the other side, or as a note for colleagues; where neither can be, why. */
export function MessageForm(props: Props) {
  const { words, over, note, withoutPictures, answers, onTyping } = props
  const form = useMessage(props)
  const pictures = usePictures(form, props.pictures)
  useLeaveGuard(form.isUnsaved)
  const { text, kind } = form.draft
  const isNote = kind === 'note' || over !== null
  const message = form.messageOf('text') ?? form.messageOf('pictures') ?? pictures.message ?? form.message
  const id = form.idOf('text')
  if (over !== null && !note) return <Over>{over}</Over>
  return (
    <FormElement
      className={styles.composer}
      data-note={isNote || undefined}
      onSubmit={() => void form.submit()}
      onPaste={event => pictures.take([...event.clipboardData.files])}
    >
      {over !== null && <p className={look.quiet}>{over}，可以留下内部备注</p>}
      {note && over === null && (
        <Choice<Draft['kind']>
          label="发送给"
          value={kind}
          onChange={next => form.change({ kind: next })}
          options={[
            { value: 'reply', label: words.reply },
            { value: 'note', label: '内部备注' },
          ]}
        />
      )}
      <TextInput
        id={id}
        aria-label={isNote ? '内部备注' : '回复内容'}
        aria-invalid={message !== null || undefined}
        aria-describedby={`${id}-message`}
        placeholder={isNote ? '只有同事能看到' : words.placeholder}
        rows={3}
        count={TALK_LIMITS.text}
        value={text}
        onChange={typed => {
          form.change({ text: typed })
          if (!isNote) onTyping()
        }}
      />
      {!isNote && <ChosenPictures pictures={pictures} />}
      <p id={`${id}-message`} className={styles.refusal} role="alert">
        {message}
      </p>
      <div className={styles.send}>
        {!isNote && !withoutPictures && <AddPictures pictures={pictures} />}
        {!isNote && answers && <CannedAnswers {...answers} form={form} />}
        <Button kind="primary" type="submit" busy={form.busy || pictures.busy} className={styles.sendButton}>
          {isNote ? '保存备注' : '发送回复'}
        </Button>
      </div>
    </FormElement>
  )
}

/** In place of the form: why nothing can be said. */
export function Over({ children }: { children: string }) {
  return <p className={styles.over}>{children}</p>
}

function useMessage({ words, over, reply, note, stale }: Props): Form<Draft> {
  const form: Form<Draft> = useForm<Draft>({
    initial: EMPTY,
    judge: ({ text }) => {
      const code = refuseText(text)
      return code && { field: 'text', message: words.refusals[code] }
    },
    send: async ({ text, kind, pictures }, idempotencyKey) => {
      const isNote = note !== undefined && (kind === 'note' || over !== null)
      if (isNote) await note(text, idempotencyKey)
      else await reply({ text, pictures: [...pictures] }, idempotencyKey)
      toast.success(isNote ? '已保存备注' : '已回复')
      form.rebase(EMPTY, EMPTY)
      await reread()
    },
    onRefused: error => {
      // Somebody was quicker, or has closed it: what was said is shown, and the draft stays.
      if (refusalOf(error)) readAgain(stale)
      return false
    },
  })
  return form
}

/** Canned replies, each filled as it is chosen. */
function CannedAnswers({ query, filled, form }: NonNullable<Props['answers']> & { form: Form<Draft> }) {
  const [wanted, setWanted] = useState(false)
  const answers = useQuery({ ...query, enabled: wanted })
  return (
    <Menu
      label="常用回复"
      button="常用回复"
      className={styles.canned}
      onOpen={() => setWanted(true)}
      items={(answers.data?.rows ?? []).map(({ id, name, text }) => ({
        key: String(id),
        label: name,
        onClick: () => {
          const typed = form.draft.text.trim()
          form.change({ text: typed === '' ? filled(text) : `${typed}\n${filled(text)}` })
          form.focus('text')
        },
      }))}
      head={
        answers.data ? null : <p className={styles.cannedWait}>{answers.isError ? '加载失败' : '加载中'}</p>
      }
    />
  )
}
