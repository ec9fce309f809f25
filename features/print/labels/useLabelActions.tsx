import { lazy, type ReactNode, useState } from 'react'
import type { Label } from '#kit/print/label.ts'
import { messageOf, newKey, refusalOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { confirm } from '#web/controls/confirm.ts'
import type { MenuEntry } from '#web/controls/Menu.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { LabelPicture } from './LabelPicture.tsx'
import { type LabelRow, labelsApi } from './labelsApi.tsx'
import { LABEL_WORDS } from './rules.ts'

const PublishDialog = lazy(() => import('#features/print/print-templates/PublishDialog.tsx'))
const HistoryDialog = lazy(() => import('#features/print/print-templates/HistoryDialog.tsx'))
const UsageDialog = lazy(() => import('#features/print/print-templates/UsageDialog.tsx'))

type Asked = { what: 'publish' | 'history' | 'usage'; row: Pick<LabelRow, 'id' | 'name'> }

const pictureOf = (content: unknown) => <LabelPicture label={content as Label} name="标签" />

export type LabelActions = {
  copy: (row: LabelRow) => void
  remove: (row: LabelRow) => void
  undelete: (row: LabelRow) => void
  /** Of its menu. */
  moreOf: (row: LabelRow) => readonly MenuEntry[]
  dialogs: ReactNode
}

/** What can be done with a template from its card, in the words of the documents (D3 §8). */
export function useLabelActions(): LabelActions {
  const [asked, setAsked] = useState<Asked | null>(null)
  const mayPublish = usePermission('labels.publish')
  const entry = (what: Asked['what'], label: string, row: LabelRow): MenuEntry => ({
    ...{ key: what, label },
    onClick: () => setAsked({ what, row }),
  })
  return {
    copy: ({ id }) =>
      void told(LABEL_WORDS.copied, () => labelsApi.copy({ id }, { idempotencyKey: newKey() })),
    remove: row => void remove(row),
    undelete: ({ id }) => void told('已恢复', () => labelsApi.undelete({ id })),
    moreOf: row => [
      ...(mayPublish ? [entry('publish', '发布', row)] : []),
      entry('history', '历史版本', row),
      entry('usage', '使用的店铺', row),
    ],
    dialogs: <Suspense>{asked && <AskedDialog asked={asked} onClose={() => setAsked(null)} />}</Suspense>,
  }
}

function AskedDialog({ asked: { what, row }, onClose }: { asked: Asked; onClose: () => void }) {
  const props = { kind: 'label', id: row.id, name: row.name, picture: pictureOf, onClose } as const
  if (what === 'publish') return <PublishDialog {...props} />
  return what === 'history' ? <HistoryDialog {...props} /> : <UsageDialog {...props} />
}

async function told(words: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
    toast.success(words)
    await reread()
  } catch (error) {
    toast.error(messageOf(error))
  }
}

async function remove({ id, name }: LabelRow): Promise<void> {
  const question = { title: `删除「${name}」`, confirmText: '删除', cancelText: '取消', danger: true }
  if (!(await confirm({ ...question, text: LABEL_WORDS.removal }))) return toast.info(LABEL_WORDS.kept)
  try {
    await labelsApi.remove({ id })
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal?.code !== 'IN_USE') return toast.error(messageOf(error))
    // Shops would lose it: said before it is done.
    if (!(await confirm({ ...question, text: refusal.message, confirmText: '仍要删除' })))
      return toast.info(LABEL_WORDS.kept)
    return told(LABEL_WORDS.removed, () => labelsApi.remove({ id, endsUse: true }))
  }
  toast.success(LABEL_WORDS.removed)
  await reread()
}
