import { useQuery } from '@tanstack/react-query'
import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import type { inbox } from './contract.ts'

export const inboxApi = api<typeof inbox>('inbox')

export type InboxRow = Out<typeof inbox.list>['rows'][number]

const AGAIN_AFTER_MS = 2 * 60_000

/** How much waits, as the shell says it: asked again when a notice tells of something, and now and then. */
export function useWaiting(enabled: boolean): number {
  const count = useQuery({
    ...inboxApi.count.query(),
    enabled,
    refetchInterval: AGAIN_AFTER_MS,
    staleTime: 30_000,
  })
  return count.data?.waiting ?? 0
}

export const namedOf = (rows: readonly InboxRow[]) => rows.map(({ source, id }) => ({ source, id }))
