// What the feature after this one adds where an application is finished at the payment service.
import type { ReactNode } from 'react'
import { slot } from '#web/slot.ts'

/** The account that the shop's money is settled to. */
export const SettlementSection = slot((_: { id: number }): ReactNode => null)
