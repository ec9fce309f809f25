import { readAgain, reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields, type Told } from '#web/form/FormFields.tsx'
import { Select } from '#web/form/Select.tsx'
import { DETAILS } from './fields.ts'
import styles from './onboarding.module.css'
import { type OnboardingData, onboardingsApi } from './onboardingsApi.tsx'
import { isAccountNumber, REFUSALS } from './rules.ts'

type Props = { id: number; data: OnboardingData; onClose: () => void }

/** What the service asks for beyond the application; nothing need be whole before it is handed in. */
export default function CompleteDialog({ id, data, onClose }: Props) {
  const { subjectKind, category, accountNumberMasked, refusals } = data
  return (
    <FormDialog
      title="补全支付资料"
      submitText="保存"
      width={680}
      of={DETAILS}
      known={{ ...data, ...daysOf(data), accountNumber: '' }}
      refuse={({ accountNumber }) =>
        accountNumber === '' || isAccountNumber(accountNumber)
          ? null
          : { field: 'accountNumber', message: REFUSALS.ACCOUNT_NUMBER_WRONG }
      }
      send={async ({ accountNumber, licenceFrom, licenceTo, idFrom, idTo, ...given }) => {
        await onboardingsApi
          .complete({
            ...{ id, revision: data.revision, ...given },
            ...{ licenceFrom: licenceFrom ?? '', licenceTo: licenceTo ?? '' },
            ...{ idFrom: idFrom ?? '', idTo: idTo ?? '' },
            accountNumber: accountNumber === '' ? null : accountNumber,
          })
          .catch((error: unknown) => {
            readAgain('onboardings')
            throw error
          })
        toast.success('已保存')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          {refusals.length > 0 && (
            <ul className={styles.refusals} aria-label="支付服务的驳回原因">
              {refusals.map(({ field, message }) => (
                <li key={`${field} ${message}`}>
                  {labelOf(field)}：{message}{' '}
                  <Button
                    kind="link"
                    aria-label={`去修改${labelOf(field)}`}
                    onClick={() => form.focus(field)}
                  >
                    去修改
                  </Button>
                </li>
              ))}
            </ul>
          )}
          <FormFields
            form={form}
            told={{
              ...refusedAt(data),
              category: {
                hint: hintOf(data, form.draft.subjectKind ?? subjectKind, form.draft.category ?? ''),
                ...refusedAt(data).category,
              },
              accountNumber: {
                ...refusedAt(data).accountNumber,
                placeholder: accountNumberMasked === '' ? '' : `已保存 ${accountNumberMasked}，不修改请留空`,
              },
            }}
          >
            {{
              category: control => (
                <Select
                  {...control}
                  value={form.draft.category || undefined}
                  onChange={picked => form.change({ category: String(picked) })}
                  placeholder="请选择"
                  options={optionsOf(data, form.draft.subjectKind ?? subjectKind, category ?? '')}
                />
              ),
            }}
          </FormFields>
        </>
      )}
    </FormDialog>
  )
}

const labelOf = (field: string) => DETAILS[field as keyof typeof DETAILS].label

/** What the service refused of a field stands below it. */
const refusedAt = ({ refusals }: OnboardingData): Partial<Record<keyof typeof DETAILS, Told>> =>
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

/** Those that were told: a form has no day where there is none. */
const daysOf = ({ licenceFrom, licenceTo, idFrom, idTo }: OnboardingData) =>
  Object.fromEntries(
    Object.entries({ licenceFrom, licenceTo, idFrom, idTo }).map(([key, day]) => [key, day || undefined]),
  )

type Subject = OnboardingData['subjectKind']

const of = ({ categories }: OnboardingData, subject: Subject) =>
  categories.filter(({ subjectKind }) => subjectKind === subject)

function optionsOf(data: OnboardingData, subject: Subject, kept: string) {
  const rows = of(data, subject)
  const options = rows.map(({ key, qualificationType, rateBasisPoints }) => ({
    value: key,
    label: `${qualificationType}（费率 ${(rateBasisPoints / 100).toFixed(2)}%）`,
  }))
  const isKnown = kept === '' || rows.some(({ key }) => key === kept) || data.categories.length > 0
  return isKnown ? options : [{ value: kept, label: kept }, ...options]
}

/** What the chosen line of business brings with it, and of which day that is. */
function hintOf(data: OnboardingData, subject: Subject, key: string): string {
  const chosen = of(data, subject).find(one => one.key === key)
  if (!chosen) return data.categoriesFrom
  const papers =
    chosen.papers === ''
      ? '无需特殊资质'
      : `${chosen.arePapersRequired ? '必须上传' : '可上传'}${chosen.papers}`
  return `T+${chosen.settledAfterDays} 结算，${papers}`
}
