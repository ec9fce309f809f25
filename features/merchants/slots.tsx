// What features after this one add to the pages of shops.
import type { ReactNode } from 'react'
import type { RowAction } from '#web/list/ListPage.tsx'
import { slot } from '#web/slot.ts'
import type { Merchant } from './MerchantFacts.tsx'
import type { MerchantStatus, StoreKind } from './rules.ts'

export type TradedShop = {
  id: number
  agentId: number
  shopName: string
  status: MerchantStatus
  storeKind: StoreKind
  versionId?: number
}
type Trade = { actionsOf: (shop: TradedShop) => RowAction[]; dialog: ReactNode }

/** What can be sold to a shop, by permission. The dialog belongs into the page. */
export const useTrade = slot((): Trade => ({ actionsOf: () => [], dialog: null }))

export type RemindedShop = {
  id: number
  shopName: string
  versionName: string
  account: string
  status: MerchantStatus
  expiresAt: string | null
}
export type Reminders = {
  /** The action of one row; none for who may not remind. */
  actionsOf: (shop: RemindedShop) => RowAction[]
  /** For ListPage's `bulk`; undefined for who may not remind. */
  bulk: ((shops: readonly RemindedShop[], clear: () => void) => ReactNode) | undefined
  dialog: ReactNode
}

/** Renewal reminders from a list of shops, one or many. `bulkLabel` names the button for many. */
export const useReminders = slot(
  (_bulkLabel: string): Reminders => ({ actionsOf: () => [], bulk: undefined, dialog: null }),
)

type Fact = (shop: { merchant: Merchant }) => ReactNode
const noFact: Fact = () => null

export const AccountFact = slot(noFact)
export const PasswordFact = slot(noFact)
export const RecoveryCodeFact = slot(noFact)
export const SmsCreditFact = slot(noFact)

/** All that happened to a shop. */
export const MerchantTimeline = slot((_: { merchantId: number }): ReactNode => null)
