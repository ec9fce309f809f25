// Cleans rich text that somebody sent: what is kept of it stands in kit/words/rich.ts. Nothing else may write HTML into a row.
import type { IOptions, Tag } from 'sanitize-html'
import { isRichLink, pictureOf, RICH_ATTRIBUTES, RICH_DROPPED, RICH_TAGS } from '#kit/words/rich.ts'

export type Rich = {
  html: string
  /** Its words alone, for search and for the log. */
  text: string
  /** The ids of the pictures in it, each once. */
  pictures: string[]
}

const BLOCK_ENDS = /<(?:\/(?:p|h2|h3|li|blockquote|pre)|br|hr)[^>]*>/g

export async function cleanRich(sent: string): Promise<Rich> {
  // Loaded by the first rich text: a reader of HTML and one of styles come with it.
  const { default: sanitizeHtml } = await import('sanitize-html')
  const pictures = new Set<string>()
  const html = sanitizeHtml(sent, {
    allowedTags: [...RICH_TAGS],
    allowedAttributes: {
      a: [...RICH_ATTRIBUTES.a],
      img: [...RICH_ATTRIBUTES.img],
      ol: [...RICH_ATTRIBUTES.ol],
    },
    allowedSchemes: ['http', 'https'],
    allowProtocolRelative: false,
    nonTextTags: [...RICH_DROPPED],
    // Words of old editors mean the same.
    transformTags: {
      b: 'strong',
      i: 'em',
      strike: 's',
      del: 's',
      h1: 'h2',
      h4: 'h3',
      a: (tagName, { href = '' }) => ({ tagName, attribs: isRichLink(href) ? { href } : {} }) as Tag,
      ol: (tagName, { start = '' }) =>
        ({ tagName, attribs: /^\d{1,4}$/.test(start) ? { start } : {} }) as Tag,
    },
    exclusiveFilter: ({ tag, attribs }) => {
      if (tag !== 'img') return false
      const id = pictureOf(attribs.src ?? '')
      if (id) pictures.add(id)
      return id === null
    },
  }).trim()
  const text = wordsOf(html, sanitizeHtml)
  return {
    html: text === '' && pictures.size === 0 ? '' : html,
    text,
    pictures: [...pictures],
  }
}

/** The words of HTML that is clean. */
function wordsOf(html: string, sanitizeHtml: (html: string, options: IOptions) => string): string {
  const spaced = html.replace(BLOCK_ENDS, '$&\n')
  const text = sanitizeHtml(spaced, { allowedTags: [], allowedAttributes: {} })
  return text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .replace(/\u00a0/g, ' ')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .join('\n')
}
