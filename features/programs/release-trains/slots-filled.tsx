import { lazy } from 'react'
import { TrainNote as TrainSlot } from '#features/programs/program-versions/slots.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'

const TrainNote = lazy(() => import('./TrainNote.tsx'))

export function fillSlots(): void {
  TrainSlot.fill(({ id }) => (
    <Suspense>
      <TrainNote id={id} />
    </Suspense>
  ))
}
