import { useState } from 'react'
import { messageOf, refusalOf } from '../client/api.ts'
import { Button } from '../controls/Button.tsx'
import { confirm } from '../controls/confirm.ts'
import { look } from '../controls/look.ts'
import { toast } from '../controls/toast.ts'
import { CloseButton, Dialog, DialogText } from '../form/Dialog.tsx'
import { FormElement, SENDS } from '../form/FormElement.tsx'
import { OwnAffairs } from '../shell/OwnAffairs.tsx'
import type { ListView, ListViews, ViewContent } from './list-services.ts'
import styles from './ViewsDialog.module.css'

type Props = {
  /** Rename and delete instead of saving another. */
  tidying: boolean
  views: ListViews
  /** What the list shows now. */
  shown: ViewContent
  onClose: () => void
}

export default function ViewsDialog({ tidying, ...rest }: Props) {
  return <OwnAffairs>{tidying ? <Tidy {...rest} /> : <Save {...rest} />}</OwnAffairs>
}

type DialogProps = Omit<Props, 'tidying'>

/** Saves what the list shows under a name. */
function Save({ views, shown, onClose }: DialogProps) {
  const [name, setName] = useState('')
  const [isShared, setShared] = useState(false)
  const [message, setMessage] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    const refusal = views.refuseName(name)
    setMessage(refusal)
    if (refusal !== null || busy) return
    setBusy(true)
    try {
      await views.save(name, isShared, shown)
      toast.success('视图已保存')
      onClose()
    } catch (error) {
      setMessage(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title="保存当前视图"
      onClose={onClose}
      footer={
        <>
          <CloseButton />
          <Button kind="primary" busy={busy} onClick={() => void submit()}>
            保存
          </Button>
        </>
      }
    >
      <FormElement className={styles.viewsForm} onSubmit={() => void submit()}>
        <p>记下当前的搜索、筛选、排序和列设置</p>
        <label htmlFor="view-name">名称</label>
        <input
          {...SENDS}
          id="view-name"
          className={look.input}
          data-autofocus
          autoComplete="off"
          placeholder={`最多 ${views.nameMax} 个字，如：本月到期`}
          value={name}
          aria-invalid={message !== null}
          aria-describedby="view-message"
          onChange={event => {
            setName(event.target.value)
            setMessage(null)
          }}
        />
        <p id="view-message" className={styles.viewsMessage} role="alert">
          {message}
        </p>
        <label className={styles.viewsShare} data-tip={views.shareRefusal ?? undefined}>
          <input
            type="checkbox"
            checked={isShared}
            aria-disabled={views.shareRefusal !== null || undefined}
            onChange={event => {
              if (views.shareRefusal === null) setShared(event.target.checked)
            }}
          />
          共享给本代理商的全部账号
        </label>
      </FormElement>
    </Dialog>
  )
}

/** Own views, and those that one may change: other name, other content, shared or not, gone. */
function Tidy({ views, shown, onClose }: DialogProps) {
  const rows = (views.rows ?? []).filter(({ mayChange }) => mayChange)
  return (
    <Dialog
      title="管理视图"
      width={520}
      dirty={false}
      onClose={onClose}
      footer={
        <Button kind="primary" changes={false} onClick={onClose}>
          完成
        </Button>
      }
    >
      {rows.length === 0 ? (
        <DialogText>还没有可以管理的视图</DialogText>
      ) : (
        <ul className={styles.viewsList}>
          {rows.map(view => (
            <ViewRow key={view.id} view={view} views={views} shown={shown} />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function ViewRow({ view, views, shown }: { view: ListView; views: ListViews; shown: ViewContent }) {
  const [name, setName] = useState<string | null>(null)
  const [message, setMessage] = useState<string | null>(null)
  const attempt = async (work: Promise<void>, done: string) => {
    try {
      await work
      toast.success(done)
    } catch (error) {
      if (refusalOf(error)) setMessage(messageOf(error))
      else toast.error(messageOf(error))
    }
  }
  const rename = () => {
    if (name === null) return
    const refusal = name.trim() === view.name ? null : views.refuseName(name, view.id)
    setMessage(refusal)
    if (refusal !== null) return
    setName(null)
    if (name.trim() !== view.name) void attempt(views.change(view.id, { name }), '已重命名')
  }
  const overwrite = async () => {
    const question = {
      title: `更新“${view.name}”？`,
      text: '将以列表当前的搜索、筛选、排序和列设置替换',
      confirmText: '更新视图',
    }
    if (await confirm(question)) await attempt(views.change(view.id, shown), '视图已更新')
  }
  const remove = async () => {
    const question = {
      title: `删除视图“${view.name}”？`,
      text: view.isShared ? '共享此视图的其他账号也将看不到它' : undefined,
      confirmText: '删除视图',
      danger: true,
    }
    if (await confirm(question)) await attempt(views.remove(view.id), '视图已删除')
  }
  return (
    <li>
      <div className={styles.viewsRow}>
        <input
          className={look.input}
          aria-label={`视图名称 ${view.name}`}
          value={name ?? view.name}
          aria-invalid={message !== null}
          onChange={event => {
            setName(event.target.value)
            setMessage(null)
          }}
          onBlur={rename}
          onKeyDown={event => {
            if (event.key === 'Enter') rename()
          }}
        />
        <Button
          kind="link"
          changes
          disabled={view.isShared ? null : views.shareRefusal}
          onClick={() =>
            void attempt(
              views.change(view.id, { isShared: !view.isShared }),
              view.isShared ? '已取消共享' : '已共享',
            )
          }
        >
          {view.isShared ? '取消共享' : '共享'}
        </Button>
        <Button kind="link" changes onClick={() => void overwrite()}>
          更新
        </Button>
        <Button kind="link" changes className={styles.viewsRemove} onClick={() => void remove()}>
          删除
        </Button>
      </div>
      {message !== null && (
        <p className={styles.viewsMessage} role="alert">
          {message}
        </p>
      )}
    </li>
  )
}
