import { lazy, useState } from 'react'
import type { Draft } from '#kit/print/edit/draft.ts'
import type { Label } from '#kit/print/label.ts'
import { messageOf } from '#web/client/api.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { look } from '#web/controls/look.ts'
import { Menu } from '#web/controls/Menu.tsx'
import { Permit } from '#web/controls/Permit.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { useKeys } from '#web/keys/keys.ts'
import type { Editor } from '#web/print/edit/useEditor.ts'
import { usePhone } from '#web/theme/usePhone.ts'
import { Designer } from './Designer.tsx'
import styles from './designer.module.css'
import { LabelPicture } from './LabelPicture.tsx'
import { labelsApi } from './labelsApi.tsx'
import { useDesigner } from './useDesigner.tsx'
import { type Base, useSave } from './useSave.tsx'
import { useTestPrint } from './useTestPrint.tsx'

const PublishDialog = lazy(() => import('#features/print/print-templates/PublishDialog.tsx'))
const HistoryDialog = lazy(() => import('#features/print/print-templates/HistoryDialog.tsx'))
const StaleDialog = lazy(() => import('./StaleDialog.tsx'))

type Asked = 'publish' | 'history' | 'stale' | null
type Props = {
  id: number | null
  revision: number | null
  initial: Draft
  /** It was saved a moment ago in order to be published. */
  publishes: boolean
  onMade: (id: number) => void
}

/** One template under way: its name and actions over the designer. */
export function EditPage({ id, publishes, onMade, ...read }: Props) {
  // What was read is what a save is checked against; the page is not exchanged when its rows are read again.
  const [base, setBase] = useState<Base>({ revision: read.revision, initial: read.initial })
  const [asked, setAsked] = useState<Asked>(publishes ? 'publish' : null)
  const parts = useDesigner(base.initial, String(id ?? 'new'), base.revision ?? 0)
  const { editor } = parts
  const save = useSave({
    ...{ id, base, editor, onMade },
    onBase: setBase,
    onUnnamed: () => editor.select([]),
    onStale: () => setAsked('stale'),
    onPublish: () => setAsked('publish'),
  })
  const test = useTestPrint()
  const publish = async () => {
    if (id !== null && !editor.isUnsaved()) return setAsked('publish')
    const question = { title: '先保存再发布？', text: '发布的是已保存的内容，当前修改还没有保存。' }
    if (await confirm({ ...question, confirmText: '保存并发布' })) await save.submit('publish')
  }
  const isEmpty = editor.draft.label.items.length === 0
  const print = () => {
    const { name, label } = editor.draft
    void test.print({ name, label, data: parts.sample.data, glyphs: parts.glyphs })
  }
  usePageKeys({ save: () => void save.submit('leave'), print: isEmpty || !parts.ready ? null : print })
  /** Another draft in place of this one, which can be undone to. */
  const exchange = (next: Base) => {
    editor.change(() => next.initial)
    setBase(next)
  }
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{id === null ? '新建标签模板' : editor.draft.name || '标签设计'}</h1>
        {editor.cameBack && editor.isUnsaved() && <CameBack editor={editor} initial={base.initial} />}
        <span className={styles.spring} />
        <Actions
          isNew={id === null}
          isEmpty={isEmpty}
          noPrint={isEmpty ? NO_ITEMS : !parts.ready}
          onHistory={() => setAsked('history')}
          onPublish={() => void publish()}
          onPrint={print}
        />
        <Permit permission="labels.edit">
          <Button kind="primary" busy={save.form.busy} onClick={() => void save.submit('leave')}>
            保存
          </Button>
        </Permit>
      </header>
      <p className={look.visuallyHidden} role="alert">
        {save.form.message}
      </p>
      <Designer parts={parts} form={save.form} onBusy={save.onBusy} />
      {test.dialog}
      {id !== null && asked && (
        <Suspense>
          <AskedDialog
            {...{ asked, id, editor }}
            onClose={() => setAsked(null)}
            onExchange={next => {
              exchange(next)
              setAsked(null)
            }}
            onMine={theirs => {
              const mine = editor.draft
              exchange(theirs)
              editor.change(() => mine)
              setAsked(null)
              void save.submit('stay')
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

const NO_ITEMS = '标签上还没有元素'

type ActionsProps = {
  isNew: boolean
  isEmpty: boolean
  noPrint: string | boolean
  onHistory: () => void
  onPublish: () => void
  onPrint: () => void
}

/** Beside saving; on a phone in one menu. */
function Actions({ isNew, isEmpty, noPrint, onHistory, onPublish, onPrint }: ActionsProps) {
  const mayPublish = usePermission('labels.publish')
  const phone = usePhone()
  const noHistory = isNew ? '保存后才有历史版本' : null
  const noPublish = isEmpty ? NO_ITEMS : null
  if (phone)
    return (
      <Menu
        label="更多操作"
        button="更多"
        className={styles.more}
        align="end"
        items={[
          { key: 'history', label: '历史版本', disabled: noHistory, onClick: onHistory },
          ...(mayPublish ? [{ key: 'publish', label: '发布', disabled: noPublish, onClick: onPublish }] : []),
          { key: 'print', label: '试打', disabled: noPrint ? String(noPrint) : null, onClick: onPrint },
        ]}
      />
    )
  return (
    <>
      <Button disabled={noHistory} onClick={onHistory}>
        历史版本
      </Button>
      <Button disabled={noPrint} onClick={onPrint}>
        试打
      </Button>
      {mayPublish && (
        <Button disabled={noPublish} onClick={onPublish}>
          发布
        </Button>
      )}
    </>
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

type AskedProps = {
  asked: NonNullable<Asked>
  id: number
  editor: Editor
  onClose: () => void
  /** Another draft was chosen. */
  onExchange: (next: Base) => void
  onMine: (theirs: Base) => void
}

function AskedDialog({ asked, id, editor, onClose, onExchange, onMine }: AskedProps) {
  if (asked === 'stale')
    return <StaleDialog {...{ id, onClose, onMine }} mine={editor.draft} onTheirs={onExchange} />
  const about = { kind: 'label', id, name: editor.draft.name, onClose } as const
  const picture = (content: unknown) => <LabelPicture label={content as Label} name="标签" />
  if (asked === 'publish') return <PublishDialog {...about} picture={picture} />
  return (
    <HistoryDialog
      {...{ ...about, picture }}
      isDirty={editor.isUnsaved()}
      onRestored={() => void readAgain(id, onExchange)}
    />
  )
}

async function readAgain(id: number, tell: (base: Base) => void): Promise<void> {
  try {
    const { revision, name, industryIds, content } = await labelsApi.details({ id })
    tell({ revision, initial: { name, industryIds, label: content as Label } })
  } catch (error) {
    toast.error(messageOf(error))
  }
}
