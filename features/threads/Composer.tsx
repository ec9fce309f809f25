import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { refusalOf } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { Choice } from '#web/form/Choice.tsx'
import { useLeaveGuard } from '#web/form/leave.ts'
import { TextInput } from '#web/form/TextField.tsx'
import { type Form, useForm } from '#web/form/useForm.ts'
import { look } from '#web/look.ts'
import { Menu } from '#web/Menu.tsx'
import { readAgain, reread } from '#web/reread.ts'
import { usePermission, useSession } from '#web/session.ts'
import { toast } from '#web/toast.ts'
import { AddPictures, ChosenPictures, usePictures } from './AddPictures.tsx'
import { ANSWER_REFUSALS, answerFor, refuseText, THREAD_LIMITS } from './rules.ts'
import styles from './threads.module.css'
import { type ShownThread, threadsApi } from './threadsApi.tsx'

type Props = { thread: ShownThread; onTyping: () => void }
type Draft = { text: string; kind: 'reply' | 'note'; pictures: readonly string[] }
const EMPTY: Draft = { text: '', kind: 'reply', pictures: [] }

/** The answer to the shop, or a note for colleagues; where neither can be given, why. */
export function Composer({ thread, onTyping }: Props) {
  const refusal = useRefusal(thread)
  if (refusal !== null) return <p className={styles.over}>{refusal}</p>
  return <Open thread={thread} onTyping={onTyping} />
}

function useRefusal({ kind, state }: ShownThread): string | null {
  const answersOlder = usePermission('feedback.list')
  if (kind === 'older') {
    if (state === 'replied') return ANSWER_REFUSALS.OLDER_ANSWERED
    return answersOlder ? null : ANSWER_REFUSALS.OLDER_NOT_YOURS
  }
  return null
}

function Open({ thread, onTyping }: Props) {
  const isClosed = thread.state === 'closed'
  const isOlder = thread.kind === 'older'
  const form = useAnswer(thread, isClosed)
  const pictures = usePictures(form)
  useLeaveGuard(form.isUnsaved)
  const { text, kind } = form.draft
  const isNote = kind === 'note' || isClosed
  const message = form.messageOf('text') ?? form.messageOf('pictures') ?? pictures.message ?? form.message
  const id = form.idOf('text')
  return (
    <form
      noValidate
      className={styles.composer}
      data-note={isNote || undefined}
      onSubmit={event => {
        event.preventDefault()
        void form.submit()
      }}
      onPaste={event => pictures.take([...event.clipboardData.files])}
    >
      {isClosed && <p className={look.quiet}>{ANSWER_REFUSALS.THREAD_CLOSED}，可以留下内部备注</p>}
      {!isOlder && !isClosed && (
        <Choice<Draft['kind']>
          label="发送给"
          value={kind}
          onChange={next => form.change({ kind: next })}
          options={[
            { value: 'reply', label: '回复商户' },
            { value: 'note', label: '内部备注' },
          ]}
        />
      )}
      <TextInput
        id={id}
        aria-label={isNote ? '内部备注' : '回复内容'}
        aria-invalid={message !== null || undefined}
        aria-describedby={`${id}-message`}
        placeholder={isNote ? '只有同事能看到' : '请输入反馈内容'}
        rows={3}
        count={THREAD_LIMITS.text}
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
        {!isNote && !isOlder && <AddPictures pictures={pictures} />}
        {!isNote && <CannedAnswers thread={thread} form={form} />}
        <Button kind="primary" type="submit" busy={form.busy || pictures.busy} className={styles.sendButton}>
          {isNote ? '保存备注' : '发送回复'}
        </Button>
      </div>
    </form>
  )
}

function useAnswer(thread: ShownThread, isClosed: boolean): Form<Draft> {
  const { id, revision } = thread
  const form: Form<Draft> = useForm<Draft>({
    initial: EMPTY,
    judge: ({ text }) => {
      const code = refuseText(text)
      return code && { field: 'text', message: ANSWER_REFUSALS[code] }
    },
    send: async ({ text, kind, pictures }, idempotencyKey) => {
      const isNote = kind === 'note' || isClosed
      if (isNote) await threadsApi.note({ id, text }, { idempotencyKey })
      else await threadsApi.reply({ id, text, pictures: [...pictures], revision }, { idempotencyKey })
      toast.success(isNote ? '已保存备注' : '已回复')
      form.rebase(EMPTY, EMPTY)
      await reread()
    },
    onRefused: error => {
      // A colleague was quicker, or has closed it: what was said is shown, and the draft stays.
      if (refusalOf(error)) readAgain('threads')
      return false
    },
  })
  return form
}

/** Canned replies, each filled for this shop as it is chosen. */
function CannedAnswers({ thread, form }: { thread: ShownThread; form: Form<Draft> }) {
  const [wanted, setWanted] = useState(false)
  const { name: me } = useSession()
  const answers = useQuery({ ...threadsApi.answers.query(), enabled: wanted })
  const { shopName, createdByName } = thread
  const values = { shop: shopName || createdByName, person: createdByName || shopName, me }
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
          const filled = answerFor(text, values)
          const typed = form.draft.text.trim()
          form.change({ text: typed === '' ? filled : `${typed}\n${filled}` })
          form.focus('text')
        },
      }))}
      head={
        answers.data ? null : <p className={styles.cannedWait}>{answers.isError ? '加载失败' : '加载中'}</p>
      }
    />
  )
}
