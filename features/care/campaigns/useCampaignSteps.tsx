import { useMutation } from '@tanstack/react-query'
import { formatCount } from '#kit/money.ts'
import { api, messageOf, newKey } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { confirm } from '#web/controls/confirm.ts'
import { toast } from '#web/controls/toast.ts'
import type { Row } from './CampaignProgress.tsx'
import type { campaigns } from './contract.ts'
import { CAMPAIGN_REFUSALS, countOf } from './rules.ts'

const campaignsApi = api<typeof campaigns>('campaigns')

type Steps = {
  /** Asks, and answers whether it was done. */
  cancel: (row: Row) => Promise<boolean>
  /** For the shops that it did not come to, once it is known how many they are and what they cost. */
  goOn: (row: Pick<Row, 'id' | 'name'>) => Promise<boolean>
  discard: (row: Pick<Row, 'id' | 'name'>) => Promise<boolean>
}

/** Stopping and continuing a campaign and throwing a draft away, from the list and from the open one. */
export function useCampaignSteps(): Steps {
  const step = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSuccess: reread,
    onError: error => {
      toast.warning(messageOf(error))
      readAgain('campaigns', 'ledger')
    },
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
            : `尚未发出的短信不再发送，并退回短信余额；已发出的 ${formatCount(out)} 条不能收回。`,
        confirmText: '取消群发',
        cancelText: '暂不取消',
        danger: true,
      })
      return agreed && run(() => campaignsApi.cancel({ id: row.id }, { idempotencyKey: newKey() }), '已取消')
    },
    async goOn({ id, name }) {
      const left = await campaignsApi.remainder({ id }).catch((error: unknown) => {
        toast.warning(messageOf(error))
        return null
      })
      if (!left) return false
      const { shops, segments, balance, missing } = left
      if (shops === 0) toast.warning(CAMPAIGN_REFUSALS.AUDIENCE_EMPTY)
      else if (missing > 0)
        toast.warning(`${CAMPAIGN_REFUSALS.SMS_INSUFFICIENT}，还差 ${formatCount(missing)} 条`)
      if (shops === 0 || missing > 0) return false
      const agreed = await confirm({
        title: `继续发送「${name}」？`,
        text: `向尚未发送的 ${formatCount(shops)} 家商户发送，预计扣除 ${formatCount(segments)} 条短信，余额由 ${formatCount(balance)} 条变为 ${formatCount(balance - segments)} 条。已发送过的商户不会重复收到。`,
        confirmText: '继续发送',
      })
      if (!agreed) return false
      return run(
        () => campaignsApi.continue({ id, shops, segments }, { idempotencyKey: newKey() }),
        '已提交发送',
      )
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
