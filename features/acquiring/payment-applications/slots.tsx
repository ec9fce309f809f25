// What the features after this one add to an application.
import type { ReactNode } from 'react'
import { slot } from '#web/slot.ts'

/** The way to have the shop's owner fill it in by phone; `onTaken` hears that what came was taken over. */
export const OwnerInvitation = slot((_: { merchantId: number; onTaken: () => void }): ReactNode => null)

/** What the payment service asks for beyond it, and where it stands there. */
export const ServiceSection = slot((_: { id: number }): ReactNode => null)
