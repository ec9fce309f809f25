import { useMutation, useQuery } from '@tanstack/react-query'
import type { Out } from '#kit/declare/op.ts'
import { api, messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { confirm } from '#web/controls/confirm.ts'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { toast } from '#web/controls/toast.ts'
import type { Options } from '#web/list/options.ts'
import type { demands } from './contract.ts'
import { DEMAND_FIELDS } from './fields.ts'
import { FORM_PATH, PRIORITIES, type Priority, STATUSES, type Status } from './rules.ts'

export const demandsApi = api<typeof demands>('demands')

export type DemandRow = Out<typeof demands.list>['rows'][number]
export type DemandDetails = Out<typeof demands.details>
export type DemandOptions = Out<typeof demands.options>

export const BOARD_PATH = '/admin/demand/board'
export const LIST_PATH = '/admin/demand'
/** Where threads that lie with the vendor are opened. */
export const THREADS_PATH = '/admin/help/feedbackList'

/** Where a demand is opened. */
export const formSearch = (id: number) => ({ id })

export const OWNER_OPTIONS: Options = {
  useRows: wanted => useQuery({ ...demandsApi.options.query(), enabled: wanted }).data?.owners,
}

export function DemandState({ status }: { status: Status }) {
  return <StatusTag tone={DEMAND_FIELDS.status.tones[status]}>{STATUSES[status]}</StatusTag>
}

export function DemandLink({ id, title, status }: { id: number; title: string; status: Status }) {
  return (
    <>
      <Link className={look.inText} to={FORM_PATH} search={formSearch(id)}>
        #{id} {title}
      </Link>{' '}
      <DemandState status={status} />
    </>
  )
}

export function PriorityTag({ priority }: { priority: Priority }) {
  return <StatusTag tone={DEMAND_FIELDS.priority.tones[priority]}>{PRIORITIES[priority]}</StatusTag>
}

/** Deleting, which is asked for once and can be undone, and its undoing. */
export function useRemoval(onRemoved?: () => void) {
  const settle = (_answer: unknown, error: unknown) => (error ? readAgain('demands') : reread())
  const remove = useMutation({
    mutationFn: ({ id }: { id: number }) => demandsApi.remove({ id }),
    onSuccess: () => {
      toast.success('删除成功')
      onRemoved?.()
    },
    onError: error => toast.error(messageOf(error)),
    onSettled: settle,
  })
  const restore = useMutation({
    mutationFn: ({ id }: { id: number }) => demandsApi.restore({ id }),
    onSuccess: () => toast.success('恢复成功'),
    onError: error => toast.error(messageOf(error)),
    onSettled: settle,
  })
  const ask = async (demand: { id: number; title: string }) => {
    const yes = await confirm({
      title: `删除需求「${demand.title}」？`,
      text: '30 天内可以在回收站里恢复，之后不能找回。',
      confirmText: '删除需求',
      danger: true,
    })
    if (yes) remove.mutate(demand)
  }
  return { remove: (demand: { id: number; title: string }) => void ask(demand), restore: restore.mutate }
}
