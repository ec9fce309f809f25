import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import type { help } from './contract.ts'
import { markedIn } from './rules.ts'

export const helpApi = api<typeof help>('help')

export type HelpHome = Out<typeof help.home>
export type HelpLine = HelpHome['articles'][number]
export type HelpArticle = Out<typeof help.article>
export type HelpRow = Out<typeof help.list>['rows'][number]
export type HelpEdited = Out<typeof help.details>

export const LIST_PATH = '/admin/help/articles'
export const FORM_PATH = '/admin/help/article'

/** A text with what was searched for marked in it. */
export function Marked({ text, words }: { text: string; words: readonly string[] }) {
  let at = 0
  return markedIn(text, words).map(piece => {
    const key = at
    at += piece.text.length
    return piece.found ? <mark key={key}>{piece.text}</mark> : <span key={key}>{piece.text}</span>
  })
}
