// What is pasted into any box is cleaned before the box cuts it to its length: +86 138 0013 8000 has more signs than a phone may have.
import { cleanAccount, seenText } from '#kit/words/cleaned.ts'

const DIALLED = new Set(['tel', 'numeric'])

/** From now on, in the whole page. */
export function cleanPastes(page: Document): void {
  page.addEventListener('paste', onPaste, { capture: true })
}

/** Also one that is shown just now: nothing is taken from it. */
const isPassword = ({ type, dataset }: HTMLInputElement | HTMLTextAreaElement) =>
  type === 'password' || dataset.secret !== undefined

function onPaste(event: ClipboardEvent): void {
  const { target } = event
  const isBox = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
  const pasted = event.clipboardData?.getData('text/plain') ?? ''
  if (!isBox || pasted === '' || target.readOnly || target.disabled || isPassword(target)) return
  const clean = DIALLED.has(target.inputMode) ? cleanAccount(pasted) : seenText(pasted)
  // A table that is pasted into cells has lines and tabs, which its own page reads.
  if (clean === pasted.replace(/\r\n?/g, '\n') || /[\t\n]/.test(pasted.trim())) return
  event.preventDefault()
  // So that it can be undone as typed text can; where that is not known, the box takes it all the same.
  if (target.ownerDocument.execCommand?.('insertText', false, clean)) return
  target.setRangeText(clean, target.selectionStart ?? 0, target.selectionEnd ?? 0, 'end')
  target.dispatchEvent(new Event('input', { bubbles: true }))
}
