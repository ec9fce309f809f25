import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { IconClose } from './icons.tsx'
import styles from './toast.module.css'
import { dismissToast, type Toast, toastStore } from './toast.ts'

const GAP_PX = 8

const KIND_NAMES = { success: '成功', error: '错误', warning: '注意', info: '提示' } as const

/** Messages and notices, above everything else on the browser's own layer, read aloud as they come. */
export function ToastHost() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read)
  const layer = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!layer.current || toasts.length === 0) return
    // Below whatever bars stand over the page by now.
    const top = document.querySelector('main')?.getBoundingClientRect().top ?? 0
    layer.current.style.top = `${Math.max(0, top) + GAP_PX}px`
    // Shown again, so that it lies above a dialog that opened since.
    if (layer.current.matches(':popover-open')) layer.current.hidePopover()
    layer.current.showPopover()
  }, [toasts])
  return (
    <div
      ref={layer}
      popover="manual"
      data-part="toasts"
      className={styles.toasts}
      aria-live="polite"
      role="status"
    >
      {toasts.map(toast => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

function ToastCard({ toast }: { toast: Toast }) {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => dismissToast(toast.id), toast.lastsMs)
    return () => clearTimeout(timer)
  }, [toast, held])
  return (
    <div
      className={styles.toast}
      data-kind={toast.kind}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
    >
      <i className={styles.toastMark} role="img" aria-label={KIND_NAMES[toast.kind]} />
      <div>
        {toast.title && <b>{toast.title}</b>}
        <p>{toast.text}</p>
        {toast.link && (
          <a href={toast.link.href} download onClick={() => dismissToast(toast.id)}>
            {toast.link.text}
          </a>
        )}
      </div>
      {(toast.kind !== 'success' || toast.link) && (
        <button type="button" aria-label="关闭消息" onClick={() => dismissToast(toast.id)}>
          <IconClose />
        </button>
      )}
    </div>
  )
}
