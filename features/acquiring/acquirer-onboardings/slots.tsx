// What the feature after this one adds where a shop is open at an acquirer.
import type { ReactNode } from 'react'
import { slot } from '#web/slot.ts'

/** The account that the shop's money is settled to there. */
export const AcquirerSettlement = slot((_: { id: number }): ReactNode => null)
