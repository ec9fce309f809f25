// Owns the cards of notices: which are shown, at most three, for 60 seconds each (D1 §2), and that each comes once.

export type NoticeCard = {
  /** The same key is shown once. */
  key: string
  /** When it happened, ISO: what was missed may be heard of after what is new. */
  at: string
  /** What it is about, in a word. */
  label: string
  title: string
  body: string
  /** Path of our own page; empty: none. */
  link: string
}

export type NoticeCards = {
  cards: readonly NoticeCard[]
  /** How many made room for newer ones. */
  hidden: number
}

export const CARDS_MAX = 3
const REMEMBERED = 500

let shown: NoticeCards = { cards: [], hidden: 0 }
const seen = new Set<string>()
const listeners = new Set<() => void>()

function change(next: NoticeCards): void {
  shown = next
  for (const listener of listeners) listener()
}

/** False when the card was shown before. */
export function showNotice(card: NoticeCard): boolean {
  if (seen.has(card.key)) return false
  seen.add(card.key)
  if (seen.size > REMEMBERED) for (const oldest of [...seen].slice(0, REMEMBERED / 2)) seen.delete(oldest)
  const cards = [...shown.cards, card].toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
  change({
    cards: cards.slice(-CARDS_MAX),
    hidden: shown.hidden + Math.max(0, cards.length - CARDS_MAX),
  })
  return true
}

export function dismissNotice(key: string): void {
  const cards = shown.cards.filter(card => card.key !== key)
  change({ cards, hidden: cards.length === 0 ? 0 : shown.hidden })
}

export function dismissNotices(): void {
  change({ cards: [], hidden: 0 })
}

export const noticeCardStore = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  read: () => shown,
}
