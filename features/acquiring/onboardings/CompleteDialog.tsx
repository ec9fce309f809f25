import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { Select } from '#web/form/Select.tsx'
import { DETAILS } from './fields.ts'
import { type OnboardingData, onboardingsApi } from './onboardingsApi.tsx'
import { RefusalList, refusedHints } from './RefusalList.tsx'
import { isAccountNumber, REFUSALS } from './rules.ts'

type Props = { id: number; data: OnboardingData; onClose: () => void }

/** What the service asks for beyond the application; nothing need be whole before it is handed in. */
export default function CompleteDialog({ id, data, onClose }: Props) {
  const { subjectKind, category, accountNumberMasked } = data
  const refusals = data.refusals.filter(({ role }) => role === null)
  const hints = refusedHints(refusals)
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
          <RefusalList refusals={refusals} people={[]} onField={({ field }) => form.focus(field)} />
          <FormFields
            form={form}
            told={{
              ...hints,
              category: {
                hint: hintOf(data, form.draft.subjectKind ?? subjectKind, form.draft.category ?? ''),
                ...hints.category,
              },
              accountNumber: {
                ...hints.accountNumber,
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
