// The browser's own printing of a PDF: a frame that nobody sees holds it, and its print window opens over the page. Chromium returns from
// print() at once and tells no end for a PDF: while its window is open nothing of the page can be used, so whatever is done in the page
// afterwards is the end.

const LOADS_WITHIN_MS = 5_000
/** Signs of a page that is used again; the focus is the window's own. */
const SIGNS = ['focus', 'pointerdown', 'keydown'] as const

let standing: { remove: () => void } | null = null

/** False where this browser cannot: it shows no PDF in a frame, or keeps what is in it from the page. */
export async function printInFrame(href: string): Promise<boolean> {
  standing?.remove()
  if (!navigator.pdfViewerEnabled) return false
  const frame = document.createElement('iframe')
  frame.title = '打印内容'
  frame.ariaHidden = 'true'
  frame.tabIndex = -1
  // Not display: none, of which nothing is printed.
  Object.assign(frame.style, { position: 'fixed', inset: '100% auto auto 100%', width: '1px', height: '1px' })
  const remove = () => {
    for (const sign of SIGNS) removeEventListener(sign, remove)
    frame.remove()
    URL.revokeObjectURL(href)
    if (standing?.remove === remove) standing = null
  }
  standing = { remove }
  try {
    await loaded(frame, href)
    const shown = frame.contentWindow
    if (!shown) throw new Error('shows nothing')
    shown.addEventListener('afterprint', remove)
    shown.print()
  } catch {
    // The caller's other way needs the address.
    frame.remove()
    standing = null
    return false
  }
  for (const sign of SIGNS) addEventListener(sign, remove)
  return true
}

function loaded(frame: HTMLIFrameElement, href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('does not load')), LOADS_WITHIN_MS)
    frame.onload = () => {
      clearTimeout(late)
      resolve()
    }
    frame.src = href
    document.body.append(frame)
  })
}
