// Owns where the purchase page was opened from: it stands in the page's address as `from`, and leads back after the purchase.
import { useLocation } from '@tanstack/react-router'

const LIST = '/admin/merchant/myMerchant'

/** The present page with its filters, for the address of the purchase page. */
export function useOrigin(): string {
  const { pathname, searchStr } = useLocation()
  return `${pathname}${searchStr}`
}

/** Only a page of this office; otherwise the merchant list, which is asked for fresh rows (D1 §2: x=1). */
export function placeBefore(from: string | undefined): string {
  const url = new URL(from?.startsWith('/admin/') ? from : LIST, location.origin)
  const isOwn = url.origin === location.origin && url.pathname.startsWith('/admin/')
  const place = isOwn ? url : new URL(LIST, location.origin)
  if (place.pathname === LIST) place.searchParams.set('x', '1')
  return `${place.pathname}${place.search}`
}
