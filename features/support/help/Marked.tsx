import { markedIn } from './rules.ts'

/** A text with what was searched for marked in it. */
export function Marked({ text, words }: { text: string; words: readonly string[] }) {
  let at = 0
  return markedIn(text, words).map(piece => {
    const key = at
    at += piece.text.length
    return piece.found ? <mark key={key}>{piece.text}</mark> : <span key={key}>{piece.text}</span>
  })
}
