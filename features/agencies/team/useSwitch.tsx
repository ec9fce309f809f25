import { useMutation } from '@tanstack/react-query'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'

/** Turns something on or off at once: the same press undoes it, so it is not asked for. */
export function useSwitch<Row extends { name: string; enabled: boolean }>(
  send: (row: Row) => Promise<unknown>,
): (row: Row) => void {
  const change = useMutation({
    mutationFn: send,
    onSuccess: (_answer, row) => toast.success(`已${row.enabled ? '停用' : '启用'}：${row.name}`),
    onError: error => toast.error(messageOf(error)),
    onSettled: (_answer, error) => (error ? readAgain('team') : reread()),
  })
  return row => {
    if (!change.isPending) change.mutate(row)
  }
}
