// Runs before the first paint and before any other code: the chosen theme, and the page's first requests.
// Must not import anything, so that it stays one small file.

const storedTheme = localStorage.getItem('theme')
if (storedTheme === 'light' || storedTheme === 'dark') {
  document.documentElement.dataset.theme = storedTheme
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
    meta.media = meta.dataset.mode === storedTheme ? 'all' : 'not all'
}

// What the account of the last page held, kept by web/client/early.ts. Without it nothing is held back: the server decides anyway.
const held = localStorage.getItem('permissions')?.split(' ')

type Early = { response: Promise<Response>; text?: string }

const early = new Map<string, Early>()
for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="early"],meta[name="early-list"]')) {
  const { permission } = meta.dataset
  if (permission && held && !held.includes(permission)) continue
  const [path, own] = meta.content.split('?', 2)
  const query = new URLSearchParams(own)
  if (meta.name === 'early-list')
    for (const [name, value] of new URLSearchParams(location.search)) query.set(name, value)
  if (meta.name === 'early-list') {
    const remembered = query.has('page') ? null : localStorage.getItem(`list-size ${location.pathname}`)
    if (!query.has('page')) query.set('page', '1')
    if (!query.has('size')) query.set('size', remembered ?? '10')
  }
  const text = query.toString()
  const address = text === '' ? meta.content : `${path}?${text}`
  const response = fetch(address, { headers: { 'x-requested-with': 'partner-office' } }).then(
    async answer => {
      // Read to its end here, so that an answer that nobody takes does not keep its connection.
      const text = await answer.text()
      if (answer.ok) asked.text = text
      return new Response(text, answer)
    },
  )
  const asked: Early = { response }
  // Whoever takes the answer sees the failure; one that nobody takes must not count as unhandled.
  response.catch(() => undefined)
  early.set(address, asked)
}
Object.assign(globalThis, { earlyResponses: early })
