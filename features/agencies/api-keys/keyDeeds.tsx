import { formatInstant } from '#kit/time.ts'
import { api, messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { confirm } from '#web/controls/confirm.ts'
import { toast } from '#web/controls/toast.ts'
import type { apiKeys, KeyRow } from './contract.ts'

const keysApi = api<typeof apiKeys>('apiKeys')

/** Ends a key for good. */
export async function endKey({ id, name, lastUsedAt }: KeyRow): Promise<void> {
  const used = lastUsedAt ? `它最近在 ${formatInstant(lastUsedAt)} 被使用。` : '它从未被使用。'
  const sure = await confirm({
    title: `撤销密钥「${name}」？`,
    text: `${used}撤销后，使用它的程序立即不能访问，且不能恢复`,
    confirmText: '撤销密钥',
    danger: true,
  })
  if (sure) await done(() => keysApi.end({ id }), `已撤销：${name}`)
}

/** Ends the token that was in use before the last one. */
export async function endPrevious({ id, name, previousUsedAt }: KeyRow): Promise<void> {
  const used = previousUsedAt
    ? `轮换之后，旧密钥最近在 ${formatInstant(previousUsedAt)} 还被使用，请确认程序已全部换成新密钥。`
    : '轮换之后，旧密钥没有再被使用。'
  const sure = await confirm({
    title: `现在停用「${name}」的旧密钥？`,
    text: `${used}停用后不能恢复，新密钥不受影响`,
    confirmText: '停用旧密钥',
    danger: true,
  })
  if (sure) await done(() => keysApi.endPrevious({ id }), '旧密钥已停用')
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
