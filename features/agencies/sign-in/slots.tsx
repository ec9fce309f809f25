// What features after this one add to one's own page of security.
import type { ReactNode } from 'react'
import { slot } from '#web/slot.ts'

/** By what else one's account is entered than by its password. */
export const OtherDoors = slot((): ReactNode => null)
