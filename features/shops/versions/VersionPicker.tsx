import type { ReactNode } from 'react'
import { BuyerPrice } from '#features/office/prices/BuyerPrice.tsx'
import { type Conditions, NO_CONDITIONS } from '#features/office/prices/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { useSession } from '#web/client/session.ts'
import { Choice } from '#web/form/Choice.tsx'
import type { ControlProps } from '#web/form/Field.tsx'
import type { versions } from './contract.ts'
import { LIMITS, TERM_NAMES, type Term, termsOf } from './rules.ts'
import styles from './versions.module.css'

export type Version = Out<typeof versions.list>['rows'][number]

type GroupProps = Partial<ControlProps>

type Props = GroupProps & {
  versions: readonly Version[]
  value: number | null
  onChange: (version: Version) => void
}

/** The versions that can be bought, each with its unit prices. */
export function VersionPicker({ versions: offered, ...rest }: Props) {
  return (
    <VersionCards
      {...rest}
      offers={offered}
      cardOf={version => ({ ...version, prices: unitPrices(version, termsOf(version)) })}
    />
  )
}

type UnitPrice = { unit: string; cents: number; part: Term; conditions: Conditions }
type Card = { id: number; name: ReactNode; remark: string; prices: readonly UnitPrice[] }

type CardsProps<Offer> = GroupProps & {
  offers: readonly Offer[]
  cardOf: (offer: Offer) => Card
  value: number | null
  onChange: (offer: Offer) => void
}

/** Versions as cards, of which one is chosen. */
export function VersionCards<Offer>({ offers, cardOf, value, onChange, ...group }: CardsProps<Offer>) {
  const { discountBasisPoints } = useSession()
  return (
    <Choice
      {...group}
      aria-required
      label="软件版本"
      look="cards"
      value={value}
      options={offers.map(cardOf).map(card => ({
        value: card.id,
        label: (
          <>
            <span className={styles.versionCardName}>{card.name}</span>
            {card.prices.map(price => (
              <span key={price.unit} className={styles.versionCardPrice}>
                <BuyerPrice
                  of={{ ...price, unitCents: price.cents, discountBasisPoints }}
                  part={price.part}
                  unit={`代币/${price.unit}`}
                />
              </span>
            ))}
            <span className={styles.versionCardRemark}>{card.remark}</span>
          </>
        ),
      }))}
      onChange={id => {
        const chosen = offers.find(offer => cardOf(offer).id === id)
        if (chosen) onChange(chosen)
      }}
    />
  )
}

type Priced = Pick<Version, 'priceYearCents' | 'priceMonthCents' | 'priceLifetimeCents'> & {
  pricingRule: string
  conditions?: Conditions
}

/** Unit prices of these terms, in their order. */
export function unitPrices(version: Priced, terms: readonly Term[]): UnitPrice[] {
  const shop = version.pricingRule === 'perBranchYear' ? '店/' : ''
  const prices = {
    year: { unit: `${shop}年`, cents: version.priceYearCents },
    month: { unit: `${shop}月`, cents: version.priceMonthCents },
    lifetime: { unit: '个店', cents: version.priceLifetimeCents },
  }
  return terms.flatMap(term => {
    const { unit, cents } = prices[term]
    const { conditions = NO_CONDITIONS } = version
    return cents === null ? [] : [{ unit, cents, part: term, conditions }]
  })
}

type TermProps = GroupProps & { version: Version; value: Term | null; onChange: (term: Term) => void }

/** The terms a version is sold for. */
export function TermPicker({ version, value, onChange, ...group }: TermProps) {
  const choices = termsOf(version).map(term => ({ value: term, label: TERM_NAMES[term] }))
  return <Choice {...group} label="购买时限" options={choices} value={value} onChange={onChange} />
}

type PeriodProps = GroupProps & {
  term: 'year' | 'month'
  value: number | null
  onChange: (periods: number) => void
}

/** 1 to 5 years, or 1 to 12 months. */
export function PeriodPicker({ term, ...rest }: PeriodProps) {
  const [most, unit] = term === 'year' ? [LIMITS.yearsMax, '年'] : [LIMITS.monthsMax, '个月']
  const choices = Array.from({ length: most }, (_, index) => ({
    value: index + 1,
    label: `${index + 1} ${unit}`,
  }))
  return <Choice {...rest} label={PERIOD_LABELS[term]} options={choices} />
}

export const PERIOD_LABELS = { year: '购买年数', month: '购买月数' } as const
