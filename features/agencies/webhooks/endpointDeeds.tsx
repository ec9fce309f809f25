import { formatCount } from '#kit/money.ts'
import { api, messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { confirm } from '#web/controls/confirm.ts'
import { toast } from '#web/controls/toast.ts'
import type { EndpointRow, webhooks } from './contract.ts'

const webhooksApi = api<typeof webhooks>('webhooks')

export async function sendTest({ id }: EndpointRow): Promise<void> {
  await done(() => webhooksApi.sendTest({ id }), '测试事件已排队，请在投递记录中查看结果')
}

/** Off: what changes meanwhile is not queued. */
export async function setEnabled({ id, url, enabled, waiting }: EndpointRow): Promise<void> {
  const sure =
    !enabled ||
    (await confirm({
      title: '停用接收地址？',
      text: `${url} 停用后不再收到通知，停用期间的变更不会自动补发，重新启用后可以重放。`,
      confirmText: '停用',
      danger: true,
    }))
  if (!sure) return
  const text = waiting > 0 ? `已启用，${formatCount(waiting)} 条等待投递` : '已启用'
  await done(() => webhooksApi.setEnabled({ id, enabled: !enabled }), enabled ? '已停用' : text)
}

export async function endPrevious({ id, url }: EndpointRow): Promise<void> {
  const sure = await confirm({
    title: '现在停用旧密钥？',
    text: `${url} 之后的通知只用新密钥签名，请确认接收程序已换成新密钥。`,
    confirmText: '停用旧密钥',
    danger: true,
  })
  if (sure) await done(() => webhooksApi.endPrevious({ id }), '旧密钥已停用')
}

export async function removeEndpoint({ id, url, waiting }: EndpointRow): Promise<void> {
  const lost = waiting > 0 ? `还有 ${formatCount(waiting)} 条等待投递，将不再投递。` : ''
  const sure = await confirm({
    title: '删除接收地址？',
    text: `${url} 不再收到通知，且不能恢复。${lost}`,
    confirmText: '删除',
    danger: true,
  })
  if (sure) await done(() => webhooksApi.remove({ id }), '已删除')
}

async function done(send: () => Promise<unknown>, text: string): Promise<void> {
  try {
    await send()
    toast.success(text)
    await reread()
  } catch (error) {
    toast.error(messageOf(error))
  }
}
