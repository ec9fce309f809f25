import { TERM_NAMES, type Term } from '#features/versions/rules.ts'
import { formatCents } from '#kit/money.ts'
import '#features/versions/versions.css'
import type { Offer } from './PurchaseDraft.tsx'
import './purchases.css'

type Props = {
  id: string
  invalid: boolean
  describedBy: string
  onBlur: () => void
  offers: readonly Offer[]
  value: number | null
  onChange: (offer: Offer) => void
}

/** The versions that this shop can buy; the one it has comes first and is marked. */
export function OfferPicker({ id, offers, value, onChange, ...group }: Props) {
  return (
    <div
      id={id}
      role="radiogroup"
      aria-label="软件版本"
      aria-required="true"
      aria-invalid={group.invalid}
      aria-describedby={group.describedBy}
      className="version-cards"
    >
      {[...offers]
        .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
        .map(offer => (
          <label key={offer.versionId} className="version-card">
            <input
              type="radio"
              name={id}
              checked={offer.versionId === value}
              onChange={() => onChange(offer)}
              onBlur={group.onBlur}
            />
            <span className="version-card-name">
              {offer.versionName}
              {offer.isCurrent && <span className="tag">当前版本</span>}
            </span>
            {pricesOf(offer).map(price => (
              <span key={price.unit} className="version-card-price">
                <b>{formatCents(price.cents)}</b> 代币/{price.unit}
              </span>
            ))}
            <span className="version-card-remark">{offer.remark}</span>
          </label>
        ))}
    </div>
  )
}

/** Unit prices of the terms that any way of buying it is sold for. */
function pricesOf(offer: Offer): { unit: string; cents: number }[] {
  const shop = offer.pricingRule === 'perBranchYear' ? '店/' : ''
  const units: Record<Term, [unit: string, cents: number | null]> = {
    year: [`${shop}年`, offer.priceYearCents],
    month: [`${shop}月`, offer.priceMonthCents],
    lifetime: ['个店', offer.priceLifetimeCents],
  }
  return (Object.keys(TERM_NAMES) as Term[]).flatMap(term => {
    const [unit, cents] = units[term]
    const sold = offer.scopes.some(way => way.terms.includes(term))
    return sold && cents !== null ? [{ unit, cents }] : []
  })
}
