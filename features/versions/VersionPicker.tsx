import { formatCents } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import type { versions } from './contract.ts'
import { TERM_NAMES, type Term, termsOf } from './rules.ts'
import './versions.css'

type Version = Out<typeof versions.list>['rows'][number]

type GroupProps = { id: string; invalid: boolean; describedBy?: string; onBlur: () => void }

type Props = GroupProps & {
  versions: readonly Version[]
  value: number | null
  onChange: (version: Version) => void
}

/** The versions that can be bought, each with its unit prices. */
export function VersionPicker({ id, versions: offered, value, onChange, ...group }: Props) {
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
      {offered.map(version => (
        <label key={version.id} className="version-card">
          <input
            type="radio"
            name={id}
            checked={version.id === value}
            onChange={() => onChange(version)}
            onBlur={group.onBlur}
          />
          <span className="version-card-name">{version.name}</span>
          {pricesOf(version).map(price => (
            <span key={price.unit} className="version-card-price">
              <b>{formatCents(price.cents)}</b> 代币/{price.unit}
            </span>
          ))}
          <span className="version-card-remark">{version.remark}</span>
        </label>
      ))}
    </div>
  )
}

/** Unit prices in the order of the terms. */
function pricesOf(version: Version): { unit: string; cents: number }[] {
  const shop = version.pricingRule === 'perBranchYear' ? '店/' : ''
  const prices = {
    year: { unit: `${shop}年`, cents: version.priceYearCents },
    month: { unit: `${shop}月`, cents: version.priceMonthCents },
    lifetime: { unit: '个店', cents: version.priceLifetimeCents },
  }
  return termsOf(version).flatMap(term => {
    const { unit, cents } = prices[term]
    return cents === null ? [] : [{ unit, cents }]
  })
}

type TermProps = GroupProps & { version: Version; value: Term | null; onChange: (term: Term) => void }

/** The terms a version is sold for. */
export function TermPicker({ version, value, onChange, ...group }: TermProps) {
  const choices = termsOf(version).map(term => ({ value: term, label: TERM_NAMES[term] }))
  return <Choices {...group} label="购买时限" choices={choices} value={value} onChange={onChange} />
}

type ChoicesProps<V> = GroupProps & {
  label: string
  choices: readonly { value: V; label: string }[]
  value: V | null
  onChange: (value: V) => void
}

/** A row of small choices, of which one holds. */
export function Choices<V extends string | number>({
  id,
  label,
  choices,
  value,
  onChange,
  ...group
}: ChoicesProps<V>) {
  return (
    <div
      id={id}
      role="radiogroup"
      aria-label={label}
      aria-invalid={group.invalid}
      aria-describedby={group.describedBy}
      className="choices"
    >
      {choices.map(choice => (
        <label key={choice.value} className="choice">
          <input
            type="radio"
            name={id}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
            onBlur={group.onBlur}
          />
          {choice.label}
        </label>
      ))}
    </div>
  )
}
