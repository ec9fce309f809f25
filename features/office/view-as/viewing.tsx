// Into another's account and out of it, for this browser: every page of it loads afresh as the other, or as oneself again.
import { api, messageOf } from '#web/client/api.ts'
import { confirm } from '#web/controls/confirm.ts'
import { toast } from '#web/controls/toast.ts'
import { leaveForAnother } from '#web/shell/view-changes.ts'
import type { viewAs } from './contract.ts'
import { VIEW_MINUTES } from './rules.ts'

const viewAsApi = api<typeof viewAs>('viewAs')

/** Asks, and then looks through the account of an agent's owner, or of one of the staff (`id` is the account's). */
export async function startView(
  whose: 'agent' | 'staff',
  { id, name }: { id: number; name: string },
): Promise<void> {
  const sure = await confirm({
    title: `以「${name}」的身份查看？`,
    text: `只能查看，不能修改或导出；${VIEW_MINUTES} 分钟后自动结束。对方会收到通知，双方的操作日志都会记录。`,
    confirmText: '开始查看',
  })
  if (!sure) return
  try {
    await viewAsApi[whose]({ id })
    leaveForAnother()
  } catch (error) {
    toast.error(messageOf(error))
  }
}

export async function endView(): Promise<void> {
  await viewAsApi.end()
  leaveForAnother()
}
