import type { Path } from '#kit/declare/pages.ts'
import { usePageSearch } from '#web/client/navigation.ts'
import { LinkHere } from '#web/controls/Link.tsx'
import { SHOWN_ORDER_CHARS } from './rules.ts'

/** An order over a list lives in the list's address as `orderNo`, so that a link, a reload and the back button keep both. */
export function useOpenOrder() {
  const [{ orderNo }, ask] = usePageSearch<Path>()
  return {
    orderNo: orderNo || null,
    open: (wanted: string) => ask({ orderNo: wanted }),
    close: () => ask({ orderNo: undefined }),
  }
}

/** An order's number, which opens it over whatever names it. */
export function OrderLink({ orderNo, className }: { orderNo: string; className?: string | undefined }) {
  return (
    <LinkHere<Path> asked={{ orderNo }} className={className}>
      {orderNo.slice(-SHOWN_ORDER_CHARS)}
    </LinkHere>
  )
}

/** The page of an order, whichever kind it is. */
export function orderPath(orderNo: string): string {
  return `/admin/order/${orderNo}`
}
