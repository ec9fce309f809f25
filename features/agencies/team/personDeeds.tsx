import { api, messageOf } from '#web/client/api.ts'
import { confirm } from '#web/controls/confirm.ts'
import { toast } from '#web/controls/toast.ts'
import type { team } from './contract.ts'

const teamApi = api<typeof team>('team')

type Person = { id: number; name: string }

/** Ends all sessions of a person, who can sign in again with the password. */
export async function endSessions({ id, name }: Person): Promise<void> {
  const sure = await confirm({
    title: `下线${name}的全部设备？`,
    text: '正在使用的页面会回到登录页，用原密码可以再次登录。要阻止登录，请停用账号或重置密码',
    confirmText: '全部下线',
    danger: true,
  })
  if (!sure) return
  try {
    const { ended } = await teamApi.endSessions({ id })
    toast.success(ended === 0 ? '没有登录中的设备' : `已下线 ${ended} 个设备`)
  } catch (error) {
    toast.error(messageOf(error))
  }
}

/** Takes the second factors of a person away, who has lost them. */
export async function resetFactors({ id, name }: Person): Promise<void> {
  const sure = await confirm({
    title: `重置${name}的二次验证？`,
    text: '验证器、通行密钥和恢复码都会失效，全部设备会下线；下次登录只需密码，本人可以重新设置',
    confirmText: '重置二次验证',
    danger: true,
  })
  if (!sure) return
  try {
    await teamApi.resetFactors({ id })
    toast.success('二次验证已重置，请告诉本人')
  } catch (error) {
    toast.error(messageOf(error))
  }
}
