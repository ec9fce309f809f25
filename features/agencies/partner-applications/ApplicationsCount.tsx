import { useQuery } from '@tanstack/react-query'
import { api } from '#web/client/api.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { DotButton } from '#web/controls/DotButton.tsx'
import { IconUser } from '#web/controls/icons.tsx'
import type { partnerApplications } from './contract.ts'

const applicationsApi = api<typeof partnerApplications>('partnerApplications')

const AGAIN_AFTER_MS = 5 * 60_000

/** How many applications wait to be called; leads to them. */
export function ApplicationsCount({ enabled }: { enabled: boolean }) {
  const navigate = useNavigate()
  const count = useQuery({
    ...applicationsApi.count.query(),
    enabled,
    refetchInterval: AGAIN_AFTER_MS,
    staleTime: 60_000,
  })
  const waiting = count.data?.waiting ?? 0
  return (
    <DotButton
      label={waiting > 0 ? `待联系的合作申请 ${waiting} 条` : '合作申请'}
      icon={<IconUser />}
      marked={waiting > 0}
      onClick={() =>
        void navigate({
          to: '/admin/operations/applications',
          search: waiting > 0 ? { state: 'new' } : {},
        })
      }
    />
  )
}
