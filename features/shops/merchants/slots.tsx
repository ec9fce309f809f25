// What features after this one add to the pages of shops.

import type { ReactNode } from 'react'
import { copyText } from '#web/controls/copy.ts'
import { telephone } from '#web/controls/format.tsx'
import { IconPhone } from '#web/controls/icons.tsx'
import type { RowAction } from '#web/list/list-props.ts'
import { slot } from '#web/slot.ts'
import { usePhone } from '#web/theme/usePhone.ts'
import type { Merchant } from './contract.ts'
import type { MerchantStatus, StoreKind } from './rules.ts'

export type TradedShop = {
  id: number
  agentId: number
  shopName: string
  status: MerchantStatus
  storeKind: StoreKind
  versionId?: number
}
/** One of many that are renewed together. */
export type RenewedShop = Pick<TradedShop, 'id' | 'versionId'>
type Trade = {
  actionsOf: (shop: TradedShop) => RowAction[]
  /** For ListPage's `bulk`; undefined for who may not renew many at once. */
  bulk: ((shops: readonly RenewedShop[], clear: () => void) => ReactNode) | undefined
  dialog: ReactNode
}

/** What can be sold to a shop, by permission. The dialog belongs into the page. */
export const useTrade = slot((): Trade => ({ actionsOf: () => [], bulk: undefined, dialog: null }))

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

export type ShopTools = {
  /** Those that the account may use. */
  actionsOf: (shop: { id: number; shopName: string }) => RowAction[]
  dialog: ReactNode
}

/** What the vendor's staff mend about a shop: its term, provider, version, orders, data. The dialog belongs into the page. */
export const useShopTools = slot((): ShopTools => ({ actionsOf: () => [], dialog: null }))

type ListedShop = TradedShop & RemindedShop

/** A call where there is a phone, otherwise the number to be called. */
export function useCall(): (shop: { account: string }) => RowAction {
  const phone = usePhone()
  return ({ account }) => ({
    key: 'call',
    icon: <IconPhone size={20} />,
    ...(phone
      ? { label: '拨打电话', href: telephone(account) }
      : { label: '复制电话', reads: true, onClick: () => void copyText(account) }),
  })
}

/** What every list of shops does with one and with many: sell, call, remind. The dialogs belong into the page. */
export function useShopActions(remindLabel = '批量提醒') {
  const trade = useTrade()
  const reminders = useReminders(remindLabel)
  const call = useCall()
  return {
    actionsOf: (shop: ListedShop): RowAction[] => [
      ...trade.actionsOf(shop),
      ...reminders.actionsOf(shop),
      call(shop),
    ],
    bulk:
      trade.bulk || reminders.bulk
        ? (shops: readonly ListedShop[], clear: () => void) => (
            <>
              {reminders.bulk?.(shops, clear)}
              {trade.bulk?.(shops, clear)}
            </>
          )
        : undefined,
    dialogs: (
      <>
        {trade.dialog}
        {reminders.dialog}
      </>
    ),
  }
}

type Fact = (shop: { merchant: Merchant }) => ReactNode
const noFact: Fact = () => null

export const AccountFact = slot(noFact)
export const PasswordFact = slot(noFact)
export const RecoveryCodeFact = slot(noFact)
export const SmsCreditFact = slot(noFact)

/** The address at which the shop sees its own page. */
export const ShopPageFact = slot(noFact)

type SignedShop = Pick<Merchant, 'id' | 'shopName' | 'status' | 'signature'>

/** The signature of a shop for whoever may not set it at once. */
export const AskedSignature = slot(({ shop }: { shop: SignedShop }): ReactNode => shop.signature)

/** What was asked for the shop, and asking. */
export const ShopRequests = slot(noFact)

export type IdentifiedShop = { id: number; shopName: string; requestId?: number }
type VerificationData = {
  /** None for who may not see them. */
  actionsOf: (shop: IdentifiedShop) => RowAction[]
  /** Belongs into the page. */
  dialog: ReactNode
}

/** The verification data of a shop, in a dialog over the page that asks for them. */
export const useVerificationData = slot((): VerificationData => ({ actionsOf: () => [], dialog: null }))

/** The way to them where the status stands. */
export const VerificationFact = slot(noFact)

/** The way to its application for payments, where it stands whether it is paid online. */
export const PaymentApplicationFact = slot(noFact)

/** What it has deposited. */
export const ShopDepositFact = slot(noFact)

/** The way to where it stands at acquirers, beside it. */
export const AcquirerFact = slot(noFact)

/** What its owner is asked for by phone, where the way to its application stands. */
export const OwnerPapersFact = slot(noFact)

/** Papers that are kept of the shop. */
export const ShopDocuments = slot(noFact)

/** All that happened to a shop. */
export const MerchantTimeline = slot((_: { merchantId: number }): ReactNode => null)
