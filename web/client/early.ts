// Requests that were sent before the code had arrived: app/web-boot.ts sends them, the first call that matches takes the answer.

/** `text` is what was answered, once it is there and no refusal. */
type Early = { response: Promise<Response>; text?: string }

declare global {
  /** By path and query, as sent. */
  var earlyResponses: Map<string, Early> | undefined
}

/** An early answer is as good as a fresh one only while the page is starting. */
const GOOD_FOR_MS = 15_000

/** The early answer for this address, at most once. */
export function takeEarly(url: string): Promise<Response> | undefined {
  const [address, early] = findEarly(url) ?? []
  if (address) globalThis.earlyResponses?.delete(address)
  return early?.response
}

/** What was answered early for this address, if it is there: it can be drawn at once. */
export function readEarly(url: string): unknown {
  const text = findEarly(url)?.[1].text
  if (text === undefined) return undefined
  takeEarly(url)
  return JSON.parse(text)
}

/** Once the early answer for this address is there, or none will come. */
export async function earlyArrived(url: string): Promise<void> {
  await findEarly(url)?.[1].response
}

function findEarly(url: string): [address: string, early: Early] | undefined {
  if (!globalThis.earlyResponses?.size || performance.now() > GOOD_FOR_MS) return undefined
  const wanted = normal(url)
  return [...globalThis.earlyResponses].find(([address]) => normal(address) === wanted)
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
