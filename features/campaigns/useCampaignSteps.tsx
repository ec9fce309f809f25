import { useMutation, useQueryClient } from '@tanstack/react-query'
import { formatCount } from '#kit/money.ts'
import { api, messageOf, newKey } from '#web/api.ts'
import { confirm } from '#web/confirm.ts'
import { toast } from '#web/toast.ts'
import { countOf, type Row } from './CampaignProgress.tsx'
import type { campaigns } from './contract.ts'

const campaignsApi = api<typeof campaigns>('campaigns')

type Steps = {
  /** Asks, and answers whether it was done. */
  cancel: (row: Row) => Promise<boolean>
  discard: (row: Pick<Row, 'id' | 'name'>) => Promise<boolean>
}

/** Stopping a campaign and throwing a draft away, from the list and from the open one. */
export function useCampaignSteps(): Steps {
  const queries = useQueryClient()
  const step = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onError: error => toast.warning(messageOf(error)),
    onSettled: () =>
      Promise.all([['campaigns'], ['ledger']].map(queryKey => queries.invalidateQueries({ queryKey }))),
  })
  const run = async (work: () => Promise<unknown>, done: string) => {
    if (step.isPending) return false
    const succeeded = await step.mutateAsync(work).then(
      () => true,
      () => false,
    )
    if (succeeded) toast.success(done)
    return succeeded
  }
  return {
    async cancel(row) {
      const out = row.queued - countOf(row, ['queued', 'sending'])
      const agreed = await confirm({
        title: `取消群发「${row.name}」？`,
        text:
          row.startedAt === null
            ? '到计划时间后不再发送。'
            : `尚未发出的短信不再发送，并退回短信余额；已发出的 ${formatCount(out)} 条不能撤回。`,
        confirmText: '取消群发',
        cancelText: '继续发送',
        danger: true,
      })
      return agreed && run(() => campaignsApi.cancel({ id: row.id }, { idempotencyKey: newKey() }), '已取消')
    },
    async discard({ id, name }) {
      const agreed = await confirm({
        title: `删除草稿「${name}」？`,
        text: '删除后不能恢复。',
        confirmText: '删除草稿',
        danger: true,
      })
      return agreed && run(() => campaignsApi.discard({ id }), '已删除')
    },
  }
}
