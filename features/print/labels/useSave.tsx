import { useEffect, useRef, useState } from 'react'
import { refuseName, TEMPLATE_REFUSALS } from '#features/print/print-templates/rules.ts'
import { type Draft, droppedOnSave, itemName, savedLabel } from '#kit/print/edit/draft.ts'
import { messageOf, refusalOf } from '#web/client/api.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { reread } from '#web/client/reread.ts'
import { confirm } from '#web/controls/confirm.ts'
import { toast } from '#web/controls/toast.ts'
import { useLeaveGuard } from '#web/form/leave.ts'
import { useForm } from '#web/form/useForm.ts'
import type { Editor } from '#web/print/edit/useEditor.ts'
import { labelsApi } from './labelsApi.tsx'
import { keepSize } from './last-size.tsx'
import { LABEL_WORDS, LEAVE_AFTER_MS, LIST_PATH } from './rules.ts'

/** What a draft is checked against on save: the revision that was read, and what it held. */
export type Base = { revision: number | null; initial: Draft }

/** What is done after a save: the list is shown, one stays, or goes on to publishing. */
export type Then = 'leave' | 'stay' | 'publish'

type Props = {
  id: number | null
  base: Base
  onBase: (base: Base) => void
  editor: Editor
  onUnnamed: () => void
  /** Somebody else saved since. */
  onStale: () => void
  /** A new one is saved and is to be published. */
  onMade: (id: number) => void
  onPublish: () => void
}

/** Saves what the editor holds; the form tells what is wrong at its field and sends once. */
export function useSave(props: Props) {
  const { id, editor, onUnnamed } = props
  const navigate = useNavigate()
  const [picture, setPicture] = useState(false)
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(leaving.current), [])
  const then = useRef<Then>('leave')
  // An answer comes later than the page that asked: what it goes on with is of now.
  const latest = useRef(props)
  latest.current = props

  const goOn = (made: { id: number; revision: number }, sent: Draft) => {
    const now = latest.current
    toast.success(id === null ? LABEL_WORDS.added : LABEL_WORDS.edited)
    if (id === null) keepSize(sent.label)
    if (then.current === 'leave' || id === null) now.editor.forget()
    if (then.current === 'leave') {
      leaving.current = setTimeout(() => void navigate({ to: LIST_PATH, replace: true }), LEAVE_AFTER_MS)
      return
    }
    if (id === null) return now.onMade(made.id)
    const kept = keptOf(sent)
    if (kept !== sent && now.editor.draft === sent) now.editor.change(() => kept)
    now.onBase({ revision: made.revision, initial: kept })
    if (then.current === 'publish') now.onPublish()
    void reread()
  }
  // No fields: a designer: what is drawn is its draft.
  const form = useForm<Draft>({
    initial: editor.draft,
    judge: draft => {
      const code = refuseName(draft.name)
      return code && { field: 'name', message: TEMPLATE_REFUSALS[code] }
    },
    send: async (_draft, idempotencyKey) => {
      const sent = latest.current.editor.draft
      const { name, industryIds, label } = sent
      const { revision } = latest.current.base
      const content = label as never
      const asked = { id, revision, name, industryIds: [...industryIds], content }
      goOn(await labelsApi.save(asked, { idempotencyKey }), sent)
    },
    onRefused: error => {
      const refusal = refusalOf(error)
      if (refusal?.code === 'STALE') props.onStale()
      else if (refusal?.field === 'name') onUnnamed()
      else toast.error(messageOf(error))
      return refusal?.field !== 'name'
    },
  })
  // The draft lies in the editor, which undoes; the form follows it.
  const follow = useRef(form.change)
  follow.current = form.change
  useEffect(() => follow.current(editor.draft), [editor.draft])
  useLeaveGuard(editor.isUnsaved, { draws: true })
  const submit = async (next: Then) => {
    if (leaving.current) return
    if (picture) return toast.warning('图片上传中，请稍候')
    if (refuseName(editor.draft.name)) onUnnamed()
    if (!(await agreesToDrop(editor.draft))) return
    then.current = next
    // The field of the name stands only where nothing is selected; and what was changed just now is drawn.
    requestAnimationFrame(() => void form.submit())
  }
  return { form, submit, onBusy: setPicture }
}

/** As the server keeps it: the very same where nothing of it is dropped. */
function keptOf(draft: Draft): Draft {
  const name = draft.name.trim()
  if (name === draft.name && droppedOnSave(draft.label).length === 0) return draft
  return { ...draft, name, label: savedLabel(draft.label) }
}

/** Whoever saves knows what the save leaves out. */
async function agreesToDrop({ label }: Draft): Promise<boolean> {
  const below = droppedOnSave(label)
  if (below.length === 0) return true
  return confirm({
    title: `${below.length} 个元素将被去掉`,
    text: `${below.map(itemName).join('、')}在标签下边缘之外，保存后不再有。`,
    confirmText: '去掉并保存',
    cancelText: '继续编辑',
  })
}
