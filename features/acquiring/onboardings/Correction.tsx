import { lazy, useState } from 'react'
import type { Refusing } from '#features/acquiring/refusals/slots.tsx'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'

const CorrectDialog = lazy(() => import('./CorrectDialog.tsx'))

/** The line of business is one choice for many shops; everything else is each shop's own. */
export default function Correction({ field, shops }: Refusing) {
  const mayEdit = usePermission('paymentApplications.edit')
  const mayReview = usePermission('paymentApplications.review')
  const [open, setOpen] = useState(false)
  if (field !== 'category' || !mayEdit || !mayReview) return null
  return (
    <>
      <Button changes onClick={() => setOpen(true)}>
        统一更正
      </Button>
      <Suspense>{open && <CorrectDialog shops={shops} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
