// What is asked before typed input is given up by leaving a page.
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
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

const stays = new Set<() => boolean>()

/** Whether Esc, which one presses to let go of something, leaves what stands here where it is. */
export const isKept = (): boolean => [...stays].some(keeps => keeps())

/**
 * Asks before a page or dialog with unsaved input is left: by a link, the back button, or closing the window. Esc does not leave it at all,
 * nor a page on which one draws and arranges (`draws`), whether something of it is unsaved or not.
 */
export function useLeaveGuard(isDirty: () => boolean, { draws = false } = {}): void {
  const latest = useRef(isDirty)
  latest.current = isDirty
  useEffect(() => {
    const keeps = () => draws || latest.current()
    stays.add(keeps)
    return () => {
      stays.delete(keeps)
    }
  }, [draws])
  useBlocker({ shouldBlockFn: async () => isDirty() && !(await askToLeave()), enableBeforeUnload: isDirty })
}
