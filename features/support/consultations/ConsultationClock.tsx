import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { api } from '#web/client/api.ts'
import { DotButton } from '#web/controls/DotButton.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import type { consultations } from './contract.ts'

const consultationsApi = api<typeof consultations>('consultations')
const ConsultationDialog = lazy(() => import('./ConsultationDialog.tsx'))

const AGAIN_AFTER_MS = 5 * 60_000

/** The clock with the number of people who wait to be called; its dialog lists them (D1 §2). */
export function ConsultationClock({ enabled }: { enabled: boolean }) {
  const count = useQuery({
    ...consultationsApi.count.query(),
    enabled,
    refetchInterval: AGAIN_AFTER_MS,
    staleTime: 60_000,
  })
  const [open, setOpen] = useState(false)
  const waiting = count.data?.waiting ?? 0
  return (
    <>
      <DotButton
        label={waiting > 0 ? `待联系的官网咨询 ${waiting} 条` : '官网咨询'}
        icon={<IconClock />}
        marked={waiting > 0}
        onClick={() => setOpen(true)}
      />
      {open && (
        <Suspense>
          <ConsultationDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function IconClock() {
  return (
    <svg
      viewBox="0 0 16 16"
      width={16}
      height={16}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.4}
      aria-hidden="true"
    >
      <circle cx="8" cy="8" r="5.8" />
      <path d="M8 4.8V8l2.2 1.6" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
