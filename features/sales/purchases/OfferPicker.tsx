import { TERM_NAMES, type Term } from '#features/shops/versions/rules.ts'
import { unitPrices, VersionCards } from '#features/shops/versions/VersionPicker.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import type { ControlProps } from '#web/form/Field.tsx'
import type { Offer } from './PurchaseDraft.tsx'
import styles from './purchases.module.css'

type Props = Partial<ControlProps> & {
  offers: readonly Offer[]
  value: number | null
  onChange: (offer: Offer) => void
}

/** The versions that this shop can buy; the one it has comes first and is marked. */
export function OfferPicker({ offers, ...rest }: Props) {
  const ordered = [...offers].sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
  return <VersionCards {...rest} offers={ordered} cardOf={cardOf} />
}

/** With the prices of the terms that any way of buying it is sold for. */
function cardOf(offer: Offer) {
  const terms = (Object.keys(TERM_NAMES) as Term[]).filter(term =>
    offer.scopes.some(way => way.terms.includes(term)),
  )
  return {
    id: offer.versionId,
    name: (
      <>
        {offer.versionName}
        {offer.isCurrent && (
          <span className={styles.offerTag}>
            <StatusTag tone="neutral">当前版本</StatusTag>
          </span>
        )}
      </>
    ),
    remark: offer.remark,
    prices: unitPrices(offer, terms),
  }
}
