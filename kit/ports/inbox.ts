// A thing that waits for somebody, as the list of them shows it and as the page that opens it in place is given it.

/** What a source may be called: lists take it in their addresses and answers, statements as a literal. */
export const INBOX_SOURCE = /^[a-z-]+\.[a-zA-Z]+$/
export const INBOX_SOURCE_LENGTH = 60

/** `source` is `<feature>.<what>`: the `InboxDesk.tsx` of its folder opens it in place, where there is one. */
export type InboxItem = {
  source: string
  id: number
  title: string
  detail: string
  merchantId: number | null
  /** What the desk needs besides the id, as the source gives it. */
  about: string
  /** Path of our own page where it is found and done. */
  link: string
}

export type InboxDeskProps = { item: InboxItem; onClose: () => void }
