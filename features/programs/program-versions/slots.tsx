// What the feature after this one adds to the versions of a mini program.
import type { ReactNode } from 'react'
import { slot } from '#web/slot.ts'

/** That it is released together with many others. `id`: of the application. */
export const TrainNote = slot((_: { id: number }): ReactNode => null)
