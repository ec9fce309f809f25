import { useMutation } from '@tanstack/react-query'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { confirm } from '#web/controls/confirm.ts'
import { toast } from '#web/controls/toast.ts'

/** Sells a retired row again by `resume` once it is confirmed; `text` says what that means. */
export function useResume<Row extends { name: string }>(
  resume: (row: Row) => Promise<unknown>,
  text: string,
) {
  const change = useMutation({
    mutationFn: resume,
    onSuccess: (_answer, { name }) => toast.success(`已恢复销售：${name}`),
    onError: error => toast.error(messageOf(error)),
    onSettled: (_answer, error) => (error ? readAgain('catalogue') : reread()),
  })
  return async (row: Row): Promise<void> => {
    const yes = await confirm({ title: `恢复销售「${row.name}」？`, text, confirmText: '恢复销售' })
    if (yes && !change.isPending) change.mutate(row)
  }
}
