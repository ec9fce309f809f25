// What a later feature adds to a cause.
import type { ReactNode } from 'react'
import { slot } from '#web/slot.ts'

export type Refusing = { field: string; shops: readonly { applicationId: number; shopName: string }[] }

/** One correction for all shops, where what is refused is one thing. */
export const Correction = slot((_: Refusing): ReactNode => null)
