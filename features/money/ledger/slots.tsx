// How what is missing in a wallet is paid for: a later feature adds it to whatever costs tokens or SMS credit.
import type { ReactNode } from 'react'
import { slot } from '#web/slot.ts'

export type Missing = {
  asset: 'sms' | 'token'
  /** Pieces, or 1/100 tokens. Nothing is shown for 0. */
  missing: number
  /** What goes on afterwards, as a verb: 购买, 赠送. */
  purpose: string
  /** So much has been paid. Balances are read anew; a balance that was quoted is the caller's to correct. */
  onPaid?: (amount: number) => void
  /** It was paid, and with the balances read anew nothing is missing: what was begun goes on. */
  onEnough?: () => void
}

export const MissingPay = slot((_: Missing): ReactNode => null)
