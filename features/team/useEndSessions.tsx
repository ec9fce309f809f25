import { api, messageOf } from '#web/api.ts'
import { confirm } from '#web/confirm.ts'
import { toast } from '#web/toast.ts'
import type { team } from './contract.ts'

const teamApi = api<typeof team>('team')

/** Ends all sessions of a person, who can sign in again with the password. */
export function useEndSessions(): (person: { id: number; name: string }) => Promise<void> {
  return async ({ id, name }) => {
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
}
