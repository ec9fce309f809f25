import { Button } from '#web/controls/Button.tsx'
import type { Told } from '#web/form/FormFields.tsx'
import { DETAILS, PERSON, PERSON_PAPERS } from './fields.ts'
import styles from './onboarding.module.css'
import type { OnboardingData } from './onboardingsApi.tsx'
import { PERSON_ROLES } from './rules.ts'

type Refusal = OnboardingData['refusals'][number]

type Props = Pick<OnboardingData, 'refusals' | 'people'> & {
  /** Leads to where it is mended. Absent: whoever reads may not. */
  onField?: (refusal: Refusal) => void
}

/** What the service refused, each with a way to the field at which it is mended. */
export function RefusalList({ refusals, people, onField }: Props) {
  if (refusals.length === 0) return null
  return (
    <ul className={styles.refusals} aria-label="支付服务的驳回原因">
      {refusals.map(refusal => {
        const label = labelOf(refusal, people)
        const isNobodys = refusal.role !== null && refusal.personId === null
        return (
          <li key={`${label} ${refusal.message}`}>
            {label}：{refusal.message}{' '}
            {onField && !isNobodys && (
              <Button kind="link" aria-label={`去修改${label}`} onClick={() => onField(refusal)}>
                去修改
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function labelOf({ field, role, personId }: Refusal, people: Props['people']): string {
  const labels: Readonly<Record<string, { label: string } | string>> =
    role === null ? DETAILS : { ...PERSON, ...PERSON_PAPERS }
  const of = labels[field] ?? field
  const label = typeof of === 'string' ? of : of.label
  if (role === null) return label
  const name = people.find(({ id }) => id === personId)?.name ?? '，支付服务没有说明是哪一位，'
  return `${PERSON_ROLES[role]}${name}的${label}`
}

/** What the service refused of a field stands below it. */
export const refusedHints = (refusals: readonly Refusal[]): Readonly<Record<string, Told | undefined>> =>
  Object.fromEntries(
    refusals.map(({ field }) => [
      field,
      {
        hint: (
          <span className={styles.refused}>
            {refusals
              .filter(one => one.field === field)
              .map(({ message }) => `支付服务驳回：${message}`)
              .join('；')}
          </span>
        ),
      },
    ]),
  )
