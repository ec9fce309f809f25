// Owns short messages: what is shown, how long, and that the same one comes at most once per second (D3 §8).

export type ToastKind = 'success' | 'error' | 'warning' | 'info'
export type Toast = {
  id: number
  kind: ToastKind
  title?: string
  text: string
  lastsMs: number
  link?: ToastLink
}
export type ToastLink = { text: string; href: string }

const ONCE_PER_MS = 1_000
const LASTS_MS: Record<ToastKind, number> = { success: 3_000, info: 3_000, warning: 4_000, error: 5_000 }
const NOTICE_LASTS_MS = 7_000
const FILE_LASTS_MS = 12_000

let toasts: readonly Toast[] = []
let lastId = 0
const lastShown = new Map<string, number>()
const listeners = new Set<() => void>()

function show(
  kind: ToastKind,
  text: string,
  { title, link, lastsMs = LASTS_MS[kind] }: { title?: string; link?: ToastLink; lastsMs?: number } = {},
): void {
  const now = Date.now()
  const key = `${kind}:${title ?? ''}:${text}`
  // A clock that was put back would hold it back for as long.
  if (Math.abs(now - (lastShown.get(key) ?? 0)) < ONCE_PER_MS) return
  lastShown.set(key, now)
  lastId += 1
  const shown = { id: lastId, kind, title, text, lastsMs, link }
  // The same message twice would only push the others away.
  change([...toasts.filter(other => other.text !== text || other.kind !== kind), shown].slice(-4))
}

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

export const toast = {
  success: (text: string) => show('success', text),
  error: (text: string) => show('error', text),
  warning: (text: string) => show('warning', text),
  info: (text: string) => show('info', text),
  /** What changed under one's hands, long enough to be read. */
  changed: (title: string, text: string) => show('warning', text, { title, lastsMs: FILE_LASTS_MS }),
  /** Something is there to be fetched. */
  file: (text: string, link: ToastLink) => show('success', text, { link, lastsMs: FILE_LASTS_MS }),
}

/** The notice for a network or server failure (D3 §8). */
export function reportBusy(): void {
  show('error', '服务器繁忙，请稍后再试', { title: '提示', lastsMs: NOTICE_LASTS_MS })
}

export function dismissToast(id: number): void {
  change(toasts.filter(other => other.id !== id))
}

export const toastStore = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  read: () => toasts,
}
