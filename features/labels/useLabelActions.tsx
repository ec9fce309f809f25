import type { ReactNode } from 'react'
import { messageOf, newKey, refusalOf } from '#web/api.ts'
import { confirm } from '#web/confirm.ts'
import type { MenuEntry } from '#web/Menu.tsx'
import { reread } from '#web/reread.ts'
import { toast } from '#web/toast.ts'
import { type LabelRow, labelsApi } from './labelsApi.tsx'
import { LABEL_WORDS } from './rules.ts'

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
  return {
    copy: ({ id }) =>
      void told(LABEL_WORDS.copied, () => labelsApi.copy({ id }, { idempotencyKey: newKey() })),
    remove: row => void remove(row),
    undelete: ({ id }) => void told('已恢复', () => labelsApi.undelete({ id })),
    moreOf: () => [],
    dialogs: null,
  }
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
