// What stands behind the ? of an address, as the router reads and writes it: all of it stays text.

/** In an address that people share, `order` may be the number of an order; in a list's own it is the direction of its sort. */
export function parseSearch(text: string): Record<string, string> {
  const search = Object.fromEntries(new URLSearchParams(text))
  if (!/^\d+$/.test(search.order ?? '')) return search
  const { order, ...rest } = search
  return { ...rest, orderNo: order as string }
}

export function stringifySearch(search: object): string {
  const kept = Object.entries(search).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  const text = new URLSearchParams(
    kept.map(([key, value]): [string, string] => [key, String(value)]),
  ).toString()
  return text === '' ? '' : `?${text}`
}
