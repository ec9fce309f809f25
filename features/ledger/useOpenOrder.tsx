import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { SHOWN_ORDER_CHARS } from './rules.ts'

/** An order over a list lives in the list's address as `orderNo`, so that a link, a reload and the back button keep both. */
export function useOpenOrder() {
  const navigate = useNavigate()
  const { orderNo } = useSearch({ strict: false }) as { orderNo?: string }
  const go = (next: string | undefined) =>
    void navigate({
      to: '.',
      resetScroll: false,
      search: (search: object) => ({ ...search, orderNo: next }),
    } as never)
  return { orderNo: orderNo || null, open: (wanted: string) => go(wanted), close: () => go(undefined) }
}

/** An order's number, which opens it over whatever names it. */
export function OrderLink({ orderNo, className }: { orderNo: string; className?: string | undefined }) {
  return (
    <Link
      to="."
      className={className}
      resetScroll={false}
      search={((search: object) => ({ ...search, orderNo })) as never}
    >
      {orderNo.slice(-SHOWN_ORDER_CHARS)}
    </Link>
  )
}

/** The page of an order, whichever kind it is. */
export function orderPath(orderNo: string): string {
  return `/admin/order/${orderNo}`
}
