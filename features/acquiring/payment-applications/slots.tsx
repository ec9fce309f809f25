// What the feature after this one adds to an application.
import type { ReactNode } from 'react'
import { slot } from '#web/slot.ts'

/** What the payment service asks for beyond it, and where it stands there. */
export const ServiceSection = slot((_: { id: number }): ReactNode => null)
