// Requests that were sent before the code had arrived: app/web-boot.ts sends them, the first call that matches takes the answer.

declare global {
  /** By path and query, as sent. */
  var earlyResponses: Map<string, Promise<Response>> | undefined
}

/** An early answer is as good as a fresh one only while the page is starting. */
const GOOD_FOR_MS = 15_000

/** The early answer for this absolute address, at most once. */
export function takeEarly(url: string): Promise<Response> | undefined {
  const early = globalThis.earlyResponses
  if (!early || performance.now() > GOOD_FOR_MS) return undefined
  const wanted = normal(url)
  for (const [address, response] of early) {
    if (normal(address) !== wanted) continue
    early.delete(address)
    return response
  }
  return undefined
}

/** Tells the next page load what this account may ask for, so that it sends nothing early that would be refused. */
export function rememberPermissions(permissions: readonly string[]): void {
  localStorage.setItem('permissions', permissions.join(' '))
}

/** The same for every order of the query's parts. */
function normal(address: string): string {
  const { pathname, searchParams } = new URL(address, location.origin)
  searchParams.sort()
  return `${pathname}?${searchParams.toString()}`
}
