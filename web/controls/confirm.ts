// A question before something is done. `confirm` resolves when a person has answered; ConfirmHost shows it.
import type { ReactNode } from 'react'

export type Question = {
  title: string
  text?: ReactNode
  /** A verb that names what happens, never 确定 alone for something destructive. */
  confirmText: string
  cancelText?: string
  danger?: boolean
  /** False: what it leads to changes nothing on the server. */
  changes?: false
}

type Asked = Question & { answer: (yes: boolean) => void }

let asked: Asked | null = null
const listeners = new Set<() => void>()

function change(next: Asked | null): void {
  asked = next
  for (const listener of listeners) listener()
}

/** True when the person confirms. A second question waits for nobody: the first counts as declined. */
export function confirm(question: Question): Promise<boolean> {
  asked?.answer(false)
  return new Promise(resolve => {
    change({
      ...question,
      answer: yes => {
        change(null)
        resolve(yes)
      },
    })
  })
}

/** True when what was typed may be thrown away. */
export function confirmDiscard(): Promise<boolean> {
  return confirm({
    title: '放弃已填写的内容？',
    confirmText: '放弃',
    cancelText: '继续填写',
    danger: true,
    changes: false,
  })
}

export const questionStore = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  read: () => asked,
}
