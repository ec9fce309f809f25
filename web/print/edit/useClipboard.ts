import type { ClipboardEvent } from 'react'
import { clipped, clipText, pasted } from '#kit/print/edit/clipboard.ts'
import { isItem, removed } from '#kit/print/edit/draft.ts'
import type { LabelItem } from '#kit/print/label.ts'
import type { Editor } from './useEditor.ts'

/** Where a browser that keeps its clipboard to itself still finds what was copied. */
const KEY = 'label-clipboard'

/** Said where what is new has to cover something. */
export const noRoom = (what: string) => `标签上没有空位了，${what}压在其他元素上，请移开或加大标签`

/** Copy, cut and paste, also from one template to another. `inFreeRoom`: where items cover nothing; null: nowhere. */
export function useClipboard(
  editor: Editor,
  inFreeRoom: (items: readonly LabelItem[]) => LabelItem[] | null,
) {
  const { draft, selected } = editor
  const chosen = () => draft.label.items.filter(({ id }) => selected.includes(id))

  const copy = (): string | null => {
    const items = chosen()
    if (items.length === 0) return null
    const text = clipText(items)
    keep(text)
    editor.say(`已复制 ${items.length} 项`)
    return text
  }

  const paste = (text: string): void => {
    const items = clipped(text, isItem)
    const found = items.length > 0 ? items : clipped(kept(), isItem)
    if (found.length > 0) add(found, '粘贴')
    else editor.say('没有可粘贴的元素')
  }

  const add = (items: readonly LabelItem[], verb: string) => {
    const copies = pasted(items, draft.label.items, () => crypto.randomUUID())
    const free = inFreeRoom(copies)
    editor.add(free ?? copies)
    editor.say(free ? `已${verb} ${items.length} 项` : noRoom(`${verb}的 ${items.length} 项`))
  }

  const onCopy = (event: ClipboardEvent) => {
    const text = copy()
    if (text === null) return
    event.preventDefault()
    event.clipboardData.setData('text/plain', text)
  }
  return {
    handlers: {
      onCopy,
      onCut: (event: ClipboardEvent) => {
        onCopy(event)
        editor.change(one => removed(one, selected))
      },
      onPaste: (event: ClipboardEvent) => {
        event.preventDefault()
        paste(event.clipboardData.getData('text/plain'))
      },
    },
    copy: () => {
      const text = copy()
      // What the browser refuses here lies in the tab all the same.
      if (text !== null) void navigator.clipboard?.writeText(text).catch(() => undefined)
    },
    paste: () => {
      const read = navigator.clipboard?.readText?.() ?? Promise.resolve('')
      void read.catch(() => '').then(paste)
    },
    duplicate: () => {
      const items = chosen()
      if (items.length > 0) add(items, '复制')
    },
  }
}

function kept(): string {
  try {
    return sessionStorage.getItem(KEY) ?? ''
  } catch {
    return ''
  }
}

function keep(text: string): void {
  try {
    sessionStorage.setItem(KEY, text)
  } catch {
    // Then the browser's own clipboard holds it alone.
  }
}
