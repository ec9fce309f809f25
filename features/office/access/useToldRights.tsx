import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api } from '#web/client/api.ts'
import { SESSION_KEY, useSession } from '#web/client/session.ts'
import { toast } from '#web/controls/toast.ts'
import type { access } from './contract.ts'

const accessApi = api<typeof access>('access')

/** Says in words what one may do from now on and what no more, where it changes while the page is open. */
export function useToldRights(): void {
  const { permissions } = useSession()
  const queries = useQueryClient()
  const before = useRef(permissions)
  useEffect(() => {
    const had = before.current
    before.current = permissions
    const lost = had.filter(key => !permissions.includes(key))
    const given = permissions.filter(key => !had.includes(key))
    if (lost.length + given.length === 0) return
    // What was refused may be permitted now, and the other way round.
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY })
    void tell(lost, given)
  }, [permissions, queries])
}

async function tell(lost: readonly string[], given: readonly string[]): Promise<void> {
  const names = await accessApi.rights().then(
    ({ rows }) => new Map(rows.map(({ key, name }) => [key, name])),
    // Without the names it is said all the same.
    () => new Map<string, string>(),
  )
  const named = (keys: readonly string[]) => keys.map(key => names.get(key) ?? key).join('、')
  const said = [lost.length > 0 && `已收回：${named(lost)}`, given.length > 0 && `新增：${named(given)}`]
  toast.changed('您的权限已变更', said.filter(Boolean).join('；'))
}
