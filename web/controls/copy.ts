import { look } from './look.ts'
import { toast } from './toast.ts'

/** Copies a text and says so (D1 §2). */
export async function copyText(text: string): Promise<void> {
  if (text === '') return
  if (await writeClipboard(text)) toast.success('复制成功')
  else toast.error('浏览器不允许复制，请手动选择文字')
}

/** Hands a text to another app where the system can, and copies it otherwise. */
export async function share(card: { title: string; text: string }): Promise<void> {
  if (!('share' in navigator)) return copyText(card.text)
  try {
    await navigator.share(card)
  } catch (error) {
    // Who closes the system's sheet has shared nothing, and nothing is wrong.
    if (!(error instanceof DOMException && error.name === 'AbortError')) await copyText(card.text)
  }
}

async function writeClipboard(text: string): Promise<boolean> {
  // Only pages that came over TLS or from this machine have the clipboard.
  if (navigator.clipboard === undefined) return copyBySelection(text)
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch (error) {
    if (error instanceof DOMException) return copyBySelection(text)
    throw error
  }
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.setAttribute('readonly', '')
  field.className = look.visuallyHidden ?? ''
  document.body.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  return copied
}
