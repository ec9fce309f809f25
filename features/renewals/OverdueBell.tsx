import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { merchants } from '#features/merchants/contract.ts'
import { api } from '#web/api.ts'
import { CountButton } from '#web/CountButton.tsx'
import { IconBell } from '#web/icons.tsx'

const merchantsApi = api<typeof merchants>('merchants')
const OverdueDialog = lazy(() => import('./OverdueDialog.tsx'))

const AGAIN_AFTER_MS = 5 * 60_000

export function useOverduePreview(enabled: boolean) {
  return useQuery({
    ...merchantsApi.overduePreview.query(),
    enabled,
    refetchInterval: AGAIN_AFTER_MS,
    staleTime: 60_000,
  })
}

/** The bell with the number of expired merchants; its dialog previews five (D1 §2). */
export function OverdueBell({ enabled }: { enabled: boolean }) {
  const preview = useOverduePreview(enabled)
  const [open, setOpen] = useState(false)
  const total = preview.data?.total ?? 0
  const label = total > 0 ? `过期商户 ${total} 家` : '过期商户'
  return (
    <>
      <CountButton label={label} icon={<IconBell />} count={total} onClick={() => setOpen(true)} />
      {open && (
        <Suspense>
          <OverdueDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
