import { useMutation } from '@tanstack/react-query'
import type { Out } from '#kit/declare/op.ts'
import { formatInstant } from '#kit/time.ts'
import { api, refusalOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { StatusWord } from '#web/controls/StatusTag.tsx'
import { toast } from '#web/controls/toast.ts'
import type { consultations } from './contract.ts'

const consultationsApi = api<typeof consultations>('consultations')

export type ConsultationRow = Out<typeof consultations.list>['rows'][number]

/** Whether somebody was called, by whom and when. */
export function Contacted({ row }: { row: ConsultationRow }) {
  if (!row.contacted) return <StatusWord tone="attention">待联系</StatusWord>
  const tip = `${row.contactedByName} ${row.contactedAt ? formatInstant(row.contactedAt) : ''}`
  return (
    <StatusWord tone="done" tip={tip}>
      已联系
    </StatusWord>
  )
}

/** Marks, or takes the mark back: undone by the same press, so it is not asked for. */
export function useContact(): { change: (row: ConsultationRow) => void; busyId: number | null } {
  const mark = useMutation({
    mutationFn: ({ id, contacted }: ConsultationRow) =>
      consultationsApi.contact({ id, contacted: !contacted }),
    onSuccess: (_answer, row) => toast.success(row.contacted ? '已撤销标记' : '已标记联系'),
    onError: error => toast.error(refusalOf(error)?.message ?? '操作失败'),
    onSettled: (_answer, error) => (error ? readAgain('consultations') : reread()),
  })
  return {
    change: row => {
      if (!mark.isPending) mark.mutate(row)
    },
    busyId: mark.isPending ? mark.variables.id : null,
  }
}
