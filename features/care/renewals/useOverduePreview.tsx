import { useQuery } from '@tanstack/react-query'
import type { merchants } from '#features/shops/merchants/contract.ts'
import { api } from '#web/client/api.ts'

const merchantsApi = api<typeof merchants>('merchants')

const AGAIN_AFTER_MS = 5 * 60_000

/** How many shops have expired, and those that did last. */
export function useOverduePreview(enabled: boolean) {
  return useQuery({
    ...merchantsApi.overduePreview.query(),
    enabled,
    refetchInterval: AGAIN_AFTER_MS,
    staleTime: 60_000,
  })
}
