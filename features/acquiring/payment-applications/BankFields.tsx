import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTypedSearch } from '#web/form/choices/useTypedSearch.ts'
import { Field } from '#web/form/Field.tsx'
import { Select } from '#web/form/Select.tsx'
import { TextField } from '#web/form/TextField.tsx'
import type { Form } from '#web/form/useForm.ts'
import { applicationsApi } from './applicationsApi.tsx'
import { APPLICATION_FIELDS as FIELDS } from './fields.ts'
import { type ApplicationForm, LIMITS, type PayType } from './rules.ts'

/** What a form holds of an account, whatever else it asks for. */
export type BankDraft = Pick<
  ApplicationForm,
  'bankCode' | 'bankName' | 'bankRegion' | 'branchName' | 'branchNumber'
> & { payType: PayType | null }
type Props = {
  /** Also the number of a branch that is typed: some acquirers want it, whatever the directory has. */
  typesNumber?: boolean
  form: Pick<Form<never>, 'messageOf' | 'touch' | 'unread' | 'idOf'> & {
    draft: BankDraft
    change: (changed: Partial<Omit<BankDraft, 'payType'>>) => void
  }
}

/** Bank and branch of the payment service's directory, found in Chinese or by the first letters; typed where there is none. */
export function BankFields({ form, typesNumber }: Props) {
  const { payType, bankCode, bankName } = form.draft
  const [search, type] = useTypedSearch()
  const banks = useQuery({
    ...applicationsApi.banks.query({ payType: payType ?? 'corporate', search }),
    placeholderData: keepPreviousData,
  })
  const found = banks.data?.banks
  if (banks.isError || found === null)
    return (
      <>
        <TextField
          form={form}
          name="bankName"
          label={FIELDS.bankName.label}
          required
          maxLength={LIMITS.bankName}
          hint="请填写银行全称"
        />
        <TypedBranch form={form} typesNumber={typesNumber} />
      </>
    )
  // Also what was typed before there was a directory, or is not among those that are found now.
  const own = bankCode || bankName
  const isOffered = found?.some(({ code }) => code === bankCode)
  const kept = own !== '' && !isOffered ? [{ code: own, name: bankName, needsBranch: bankCode !== '' }] : []
  const options = [...kept, ...(found ?? [])]
  const chosen = options.find(({ code }) => code === own)
  return (
    <>
      <Field form={form} name="bankName" label={FIELDS.bankName.label} required>
        {control => (
          <Select
            {...control}
            what={FIELDS.bankName.label}
            value={own || undefined}
            options={found && options.map(({ code, name }) => ({ value: code, label: name }))}
            onSearch={type}
            loading={banks.isFetching}
            placeholder="输入银行名称或拼音首字母"
            notFound="没有找到该银行"
            onChange={code =>
              form.change({
                bankCode: code === bankName ? '' : (code ?? ''),
                bankName: options.find(bank => bank.code === code)?.name ?? '',
                ...{ branchName: '', branchNumber: '' },
              })
            }
          />
        )}
      </Field>
      {chosen?.needsBranch ? (
        <Branch form={form} typesNumber={typesNumber} />
      ) : (
        <TypedBranch form={form} typesNumber={typesNumber} />
      )}
    </>
  )
}

function Branch({ form, typesNumber }: Props) {
  const { bankCode, bankRegion, branchName, branchNumber } = form.draft
  const [search, type] = useTypedSearch()
  const branches = useQuery({
    ...applicationsApi.branches.query({ bankCode, region: bankRegion, search }),
    enabled: bankRegion !== '',
    placeholderData: keepPreviousData,
  })
  const found = branches.data?.branches
  // Also where the directory has none in that city: the shop has one all the same.
  const hasNone = found?.length === 0 && search === '' && !branches.isFetching
  if (branches.isError || found === null || hasNone)
    return <TypedBranch form={form} typesNumber={typesNumber} />
  const isOffered = found?.some(({ number }) => number === branchNumber)
  const kept = branchNumber !== '' && !isOffered ? [{ number: branchNumber, name: branchName }] : []
  const options = [...kept, ...(found ?? [])]
  return (
    <Field
      form={form}
      name="branchName"
      label={FIELDS.branchName.label}
      required
      hint={
        bankRegion === '' ? '请先选择开户行地区' : branchNumber === '' ? undefined : `联行号 ${branchNumber}`
      }
    >
      {control => (
        <Select
          {...control}
          what={FIELDS.branchName.label}
          disabled={bankRegion === ''}
          value={branchNumber || undefined}
          options={
            bankRegion === ''
              ? []
              : found && options.map(({ number, name }) => ({ value: number, label: name }))
          }
          onSearch={type}
          loading={branches.isFetching}
          placeholder="输入支行名称或拼音首字母"
          notFound="该城市没有找到支行"
          onChange={number =>
            form.change({
              branchNumber: number ?? '',
              branchName: options.find(branch => branch.number === number)?.name ?? '',
            })
          }
        />
      )}
    </Field>
  )
}

function TypedBranch({ form, typesNumber }: Props) {
  return (
    <>
      <TextField
        form={form}
        name="branchName"
        label={FIELDS.branchName.label}
        required
        maxLength={LIMITS.branchName}
        hint="请填写支行全称"
      />
      {typesNumber && (
        <TextField
          form={form}
          name="branchNumber"
          label={FIELDS.branchNumber.label}
          digits
          inputMode="numeric"
          maxLength={LIMITS.branchNumber}
          hint={`选填，${LIMITS.branchNumber} 位数字；部分收单渠道进件时需要，可向开户行询问`}
        />
      )}
    </>
  )
}
