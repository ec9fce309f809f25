// What the browser asks before a text becomes markup or the address of a script (Trusted Types, which the policy of the page asks for): markup
// is washed by whoever loaded the washing, an address is one of this office's own files, and everything else is refused.
type Policy = { createHTML(text: string): string; createScriptURL(text: string): string }
type Factory = { createPolicy(name: 'default', policy: Policy): unknown }

let wash: ((html: string) => string) | null = null

/** From here on markup is washed by this; until then it is refused. */
export function washMarkupBy(washing: (html: string) => string): void {
  wash = washing
}

/** Text without a tag is none: styles that the page makes, and what empties an element. */
export function trustedMarkup(text: string): string {
  if (!text.includes('<')) return text
  if (wash === null) throw new TypeError('markup that nobody washes')
  return wash(text)
}

/** Programs that run beside the page: its own files, and no address that says something behind its name. */
export function trustedScript(text: string, page = location.href): string {
  const { origin, pathname, search, href } = new URL(text, page)
  const isOwn = origin === new URL(page).origin && search === ''
  if (isOwn && /^\/(assets\/[\w.-]+\.js|sw\.js)$/.test(pathname)) return href
  throw new TypeError('a script that is none of this office')
}

/** Where the browser knows of it. To be called before anything is shown. */
export function guardMarkup(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: Factory }
  trustedTypes?.createPolicy('default', {
    createHTML: trustedMarkup,
    createScriptURL: text => trustedScript(text),
  })
}
