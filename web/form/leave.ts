// What is asked before typed input is given up by leaving a page.
import { useBlocker } from '@tanstack/react-router'
import { confirm } from '../controls/confirm.ts'

/** Asks before what was typed is given up. */
export function askToLeave(): Promise<boolean> {
  return confirm({
    title: '内容尚未保存',
    text: '离开后，已填写的内容将丢失。',
    confirmText: '放弃修改',
    cancelText: '继续填写',
    danger: true,
    changes: false,
  })
}

/** Asks before a page or dialog with unsaved input is left: by a link, the back button, or closing the window. */
export function useLeaveGuard(isDirty: () => boolean): void {
  useBlocker({ shouldBlockFn: async () => isDirty() && !(await askToLeave()), enableBeforeUnload: isDirty })
}
