// Cleans rich text before it is shown, whatever the server sent: what is kept stands in kit/words/rich.ts.
import DOMPurify from 'dompurify'
import { isRichLink, pictureOf, RICH_ATTRIBUTES, RICH_DROPPED, RICH_TAGS } from '#kit/words/rich.ts'
import { washMarkupBy } from '#web/client/trusted.ts'

const purify = DOMPurify(window)

const KEPT = {
  ALLOWED_TAGS: [...RICH_TAGS],
  ALLOWED_ATTR: [...new Set(Object.values(RICH_ATTRIBUTES).flat())],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  FORBID_CONTENTS: [...RICH_DROPPED],
  ADD_URI_SAFE_ATTR: [],
}

purify.addHook('afterSanitizeAttributes', node => {
  const tag = node.tagName.toLowerCase()
  const own: readonly string[] =
    tag in RICH_ATTRIBUTES ? RICH_ATTRIBUTES[tag as keyof typeof RICH_ATTRIBUTES] : []
  for (const { name } of [...node.attributes]) if (!own.includes(name)) node.removeAttribute(name)
  if (tag === 'img' && pictureOf(node.getAttribute('src') ?? '') === null) node.remove()
  if (tag !== 'a') return
  if (isRichLink(node.getAttribute('href') ?? '')) {
    node.setAttribute('target', '_blank')
    node.setAttribute('rel', 'noopener noreferrer nofollow')
  } else node.removeAttribute('href')
})

/** As nodes that can be shown. */
export function cleanNodes(html: string): DocumentFragment {
  return purify.sanitize(html, { ...KEPT, RETURN_DOM_FRAGMENT: true })
}

/** As text, for an editor to begin with or to take in. */
export function cleanHtml(html: string): string {
  return purify.sanitize(html, KEPT)
}

// What the editor hands to the browser is washed once more.
washMarkupBy(cleanHtml)
