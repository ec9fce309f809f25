// Rich text that people write: what of HTML is kept, the same for the server, which cleans what it is sent, and the page, which cleans
// what it shows. Pictures are our own alone.

export const RICH_TAGS = [
  ...['p', 'br', 'h2', 'h3', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'hr'],
  ...['strong', 'em', 'u', 's', 'a', 'img'],
] as const

/** What each tag may say of itself. */
export const RICH_ATTRIBUTES = { a: ['href'], img: ['src', 'alt'], ol: ['start'] } as const

/** Thrown away with all that stands within; of any other tag that is not kept the words stay. */
export const RICH_DROPPED = [
  ...[
    'script',
    'style',
    'textarea',
    'option',
    'noscript',
    'iframe',
    'object',
    'embed',
    'svg',
    'math',
    'template',
  ],
  ...['title', 'xmp', 'noembed', 'noframes', 'plaintext', 'head', 'select', 'audio', 'video', 'canvas'],
] as const

const OWN_PICTURE = /^\/api\/files\/([0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})$/

/** The id of a picture of our own by its address; null of any other. */
export function pictureOf(address: string): string | null {
  return OWN_PICTURE.exec(address)?.[1] ?? null
}

/** Where a link may lead: a page of the web, or one of our own. */
export function isRichLink(address: string): boolean {
  return /^https?:\/\/[^\s\\]+$/i.test(address) || /^\/admin\/[^\s\\]*$/.test(address)
}

export const RICH_LIMITS = { text: 5_000, html: 60_000, pictures: 20 } as const
