import { useMutation } from '@tanstack/react-query'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { confirm } from '#web/controls/confirm.ts'
import { toast } from '#web/controls/toast.ts'
import { programApplicationsApi } from './programApplicationsApi.tsx'

type Seen = { id: number; revision: number }

/** Deletes an application after the documents' question, and brings one back. */
export function useRemoval() {
  const failed = (error: unknown) => {
    toast.warning(messageOf(error))
    readAgain('programApplications')
  }
  const removal = useMutation({
    mutationFn: ({ id, revision }: Seen) => programApplicationsApi.remove({ id, revision }),
    onSuccess: () => {
      toast.success('删除成功!')
      return reread()
    },
    onError: failed,
  })
  const restoration = useMutation({
    mutationFn: ({ id, revision }: Seen) => programApplicationsApi.restore({ id, revision }),
    onSuccess: () => {
      toast.success('已恢复')
      return reread()
    },
    onError: failed,
  })
  return {
    async remove(seen: Seen) {
      const sure = await confirm({
        title: '是否确认删除本条数据',
        text: '请谨慎操作。删除后该店铺可以重新申请；需要时可在回收站中恢复。',
        confirmText: '删除',
        danger: true,
      })
      if (sure) removal.mutate(seen)
      else toast.info('已取消删除')
    },
    restore: (seen: Seen) => restoration.mutate(seen),
  }
}
