import { useNavigate, useSearch } from '@tanstack/react-router'

/** The details over a list live in its address as `user_id`, so that a link, a reload and the back button keep them. */
export function useDrawer() {
  const navigate = useNavigate()
  const { user_id } = useSearch({ strict: false }) as { user_id?: number | string }
  const id = Number(user_id)
  const go = (next: number | undefined) =>
    void navigate({
      to: '.',
      resetScroll: false,
      search: (search: object) => ({ ...search, user_id: next === undefined ? undefined : String(next) }),
    } as never)
  return {
    id: Number.isSafeInteger(id) && id > 0 ? id : null,
    open: (merchantId: number) => go(merchantId),
    close: () => go(undefined),
  }
}
