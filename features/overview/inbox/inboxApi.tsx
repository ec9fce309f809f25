import { useQuery } from '@tanstack/react-query'
import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import { readAgain } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import type { inbox } from './contract.ts'

export const inboxApi = api<typeof inbox>('inbox')

export type DecidedRow = Out<typeof inbox.decided>['rows'][number]
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

type Done = Out<typeof inbox.assign>

/** As they were seen: what a colleague made of one since is not overwritten. */
export const namedOf = (rows: readonly InboxRow[]) =>
  rows.map(({ source, id, assigneeId, snoozedUntil }) => ({ source, id, assigneeId, snoozedUntil }))

/** So many are told by name. */
const TOLD = 3

/** Says what was done, and of what was not, who was first or that it waits no longer. */
export function tellDone({ rows }: Done, doneText: (done: number) => string): void {
  const refused = rows.filter(({ refusal }) => refusal !== null)
  const done = rows.length - refused.length
  if (refused.length === 0) {
    toast.success(doneText(done))
    return
  }
  const named = refused
    .slice(0, TOLD)
    .map(({ title, refusal }) => (title ? `「${title}」${refusal}` : refusal))
  const rest = refused.length > TOLD ? `，等 ${refused.length} 项` : ''
  toast.warning([...(done > 0 ? [doneText(done)] : []), `${named.join('；')}${rest}`].join('。'))
  readAgain('inbox')
}
