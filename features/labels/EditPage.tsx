import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { refuseName, TEMPLATE_REFUSALS } from '#features/print-templates/rules.ts'
import { type Draft, droppedOnSave, itemName } from '#kit/print/edit/draft.ts'
import { messageOf, refusalOf } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { confirm } from '#web/confirm.ts'
import { useLeaveGuard } from '#web/form/leave.ts'
import { useForm } from '#web/form/useForm.ts'
import { useKeys } from '#web/keys/keys.ts'
import { look } from '#web/look.ts'
import { Permit } from '#web/Permit.tsx'
import { usePermission } from '#web/session.ts'
import { toast } from '#web/toast.ts'
import { Designer } from './Designer.tsx'
import styles from './designer.module.css'
import { labelsApi } from './labelsApi.tsx'
import { keepSize } from './last-size.tsx'
import { LABEL_WORDS, LEAVE_AFTER_MS, LIST_PATH } from './rules.ts'
import { useDesigner } from './useDesigner.tsx'
import { useTestPrint } from './useTestPrint.tsx'

type Props = { id: number | null; revision: number | null; initial: Draft }

/** One template under way: its name and actions over the designer. */
export function EditPage(props: Props) {
  // What was read is what a save is checked against; the page is not exchanged when its rows are read again.
  const [{ id, revision, initial }] = useState(props)
  const parts = useDesigner(initial, `${id ?? 'new'}:${revision ?? 0}`)
  const { editor } = parts
  const save = useSave({ id, revision, editor, onUnnamed: () => editor.select([]) })
  const test = useTestPrint()
  const isEmpty = editor.draft.label.items.length === 0
  const print = () => {
    const { name, label } = editor.draft
    void test.print({ name, label, data: parts.sample.data, glyphs: parts.glyphs })
  }
  usePageKeys({ save: () => void save.submit(), print: isEmpty || !parts.ready ? null : print })
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{id === null ? '新建标签模板' : editor.draft.name || '标签设计'}</h1>
        {editor.cameBack && editor.isUnsaved() && <CameBack editor={editor} initial={initial} />}
        <span className={styles.spring} />
        <Button disabled={isEmpty ? '标签上还没有元素' : !parts.ready} onClick={print}>
          试打
        </Button>
        <Permit permission="labels.edit">
          <Button kind="primary" busy={save.form.busy} onClick={() => void save.submit()}>
            保存
          </Button>
        </Permit>
      </header>
      <p className={look.visuallyHidden} role="alert">
        {save.form.message}
      </p>
      <Designer parts={parts} form={save.form} onBusy={save.onBusy} />
      {test.dialog}
    </div>
  )
}

/** Where browsers would keep or print the page; not over a dialog, which has its own. */
function usePageKeys({ save, print }: { save: () => void; print: (() => void) | null }): void {
  const mayEdit = usePermission('labels.edit')
  const on = (act: (() => void) | null) => (event: KeyboardEvent) => {
    event.preventDefault()
    if (!document.querySelector('dialog[open]')) act?.()
  }
  useKeys('模板', [
    ...(mayEdit ? [{ press: 'Ctrl+s', does: '保存', everywhere: true, act: on(save) }] : []),
    { press: 'Ctrl+p', does: '试打', everywhere: true, act: on(print) },
  ])
}

type Editor = ReturnType<typeof useDesigner>['editor']

/** Steps of before a reload, and the way back to what is saved. */
function CameBack({ editor, initial }: { editor: Editor; initial: Draft }) {
  return (
    <p className={styles.cameBack} role="status">
      已恢复上次未保存的修改
      <Button kind="link" onClick={() => editor.change(() => initial)}>
        放弃
      </Button>
    </p>
  )
}

type SaveProps = Pick<Props, 'id' | 'revision'> & { editor: Editor; onUnnamed: () => void }

/** Saves what the editor holds; the form tells what is wrong at its field and sends once. */
function useSave({ id, revision, editor, onUnnamed }: SaveProps) {
  const navigate = useNavigate()
  const [picture, setPicture] = useState(false)
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(leaving.current), [])
  const form = useForm<Draft>({
    initial: editor.draft,
    judge: draft => {
      const code = refuseName(draft.name)
      return code && { field: 'name', message: TEMPLATE_REFUSALS[code] }
    },
    send: async (draft, idempotencyKey) => {
      const { name, industryIds, label } = draft
      const content = label as never
      await labelsApi.save({ id, revision, name, industryIds: [...industryIds], content }, { idempotencyKey })
    },
    onDone: ({ label }) => {
      toast.success(id === null ? LABEL_WORDS.added : LABEL_WORDS.edited)
      if (id === null) keepSize(label)
      editor.forget()
      leaving.current = setTimeout(() => void navigate({ to: LIST_PATH, replace: true }), LEAVE_AFTER_MS)
    },
    onRefused: error => {
      const refusal = refusalOf(error)
      if (refusal?.field === 'name') onUnnamed()
      else toast.error(messageOf(error))
      return refusal?.field !== 'name'
    },
  })
  // The draft lies in the editor, which undoes; the form follows it.
  const follow = useRef(form.change)
  follow.current = form.change
  useEffect(() => follow.current(editor.draft), [editor.draft])
  useLeaveGuard(editor.isUnsaved)
  const submit = async () => {
    if (picture) return toast.warning('图片上传中，请稍候')
    if (refuseName(editor.draft.name)) onUnnamed()
    if (!(await agreesToDrop(editor.draft))) return
    // The field of the name stands only where nothing is selected.
    requestAnimationFrame(() => void form.submit())
  }
  return { form, submit, onBusy: setPicture }
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
