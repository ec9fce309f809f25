import type { Path } from '#kit/declare/pages.ts'
import { usePageSearch } from '#web/client/navigation.ts'
import { LinkHere } from '#web/controls/Link.tsx'
import { SHOWN_ORDER_CHARS } from './rules.ts'

type Numbered = { orderNo: string }

const numberOf = ({ orderNo }: Numbered) => orderNo

/** An order over a list lives in the list's address as `orderNo`, so that a link, a reload and the back button keep both. */
export function useOpenOrder() {
  const [{ orderNo }, ask] = usePageSearch<Path>()
  const openKey = orderNo || null
  const open = (wanted: string) => ask({ orderNo: wanted })
  return {
    orderNo: openKey,
    open,
    close: () => ask({ orderNo: undefined }),
    /** For a list whose rows are orders: each is known by its number and opened over the list. */
    rows: { rowKey: numberOf, openKey, onOpen: (row: Numbered) => open(row.orderNo) },
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
