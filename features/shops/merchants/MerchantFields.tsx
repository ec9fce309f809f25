// The fields that adding and editing a shop have in common, each with its rule's message (D1 §2, §5; D2 §5).
import RegionPicker from '#features/office/regions/RegionPicker.tsx'
import type { Out } from '#kit/declare/op.ts'
import { Field } from '#web/form/Field.tsx'
import { GroupFields } from '#web/form/FormFields.tsx'
import { Select } from '#web/form/Select.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import type { Broken, FieldsOf } from '#web/form/useForm.ts'
import type { merchants } from './contract.ts'
import { MERCHANT_FIELDS } from './fields.ts'
import type { LockedField } from './rules.ts'

export type Options = Out<typeof merchants.options>
export type PaymentMethod = Options['paymentMethods'][number]

type SharedDraft = {
  industryId: number | null
  districtCode: string
  managerId: number | null
  paymentMethodId: number | null
  paymentConfig: Record<string, string>
}

type FieldsProps = {
  form: FieldsOf<SharedDraft>
  options: Options
  lockOf?: (field: LockedField) => string | null
}

const named = (row: { id: number; name: string }) => ({ value: row.id, label: row.name })

export function IndustryField({ form, options }: FieldsProps) {
  return (
    <Field label={MERCHANT_FIELDS.industryId.label} name="industryId" form={form} required>
      {control => (
        <Select
          {...control}
          value={form.draft.industryId ?? undefined}
          onChange={industryId => form.change({ industryId })}
          options={options.industries
            .filter(({ id, offered }) => offered || id === form.draft.industryId)
            .map(named)}
          placeholder="请选择行业类型"
        />
      )}
    </Field>
  )
}

export function AddressFields({ form, options }: Pick<FieldsProps, 'form'> & { options?: Options }) {
  return (
    <>
      <Field label={MERCHANT_FIELDS.districtCode.label} name="districtCode" form={form} required>
        {control => (
          <RegionPicker
            {...control}
            startAt={options?.cityCode}
            value={form.draft.districtCode}
            onChange={districtCode => form.change({ districtCode })}
          />
        )}
      </Field>
      <GroupFields fields={MERCHANT_FIELDS} group="address" form={form} />
    </>
  )
}

export function PeopleFields({ form, options, lockOf }: FieldsProps) {
  const managerLock = lockOf?.('managerId') ?? null
  return (
    <>
      <GroupFields
        fields={MERCHANT_FIELDS}
        group="people"
        form={form}
        lockOf={field => (field === 'referrer' && lockOf?.(field)) || null}
      />
      <Field label={MERCHANT_FIELDS.managerId.label} name="managerId" form={form} lock={managerLock}>
        {control => (
          <Select
            {...control}
            value={form.draft.managerId ?? undefined}
            onChange={managerId => form.change({ managerId: managerId ?? null })}
            options={options.managers.map(named)}
            allowClear
            placeholder="选填"
            disabled={managerLock !== null}
          />
        )}
      </Field>
      <GroupFields fields={MERCHANT_FIELDS} group="notes" form={form} />
    </>
  )
}

/** The fields of the payment method that must be filled and are not; `kept` hold a value on the server. */
export function missingConfig(
  config: Readonly<Record<string, string>>,
  method: PaymentMethod | undefined,
  kept: readonly string[] = [],
): Broken[] {
  const missing = method?.fields.filter(
    ({ key, required }) => required && (config[key] ?? '').trim() === '' && !kept.includes(key),
  )
  return (
    missing?.map(({ key, label }) => ({ field: `paymentConfig.${key}`, message: `${label}不能为空` })) ?? []
  )
}

type PaymentProps = FieldsProps & {
  /** Keys of secret fields that hold a value on the server. */
  secretsSet?: readonly string[]
  /** The method that the secrets belong to. */
  savedMethodId?: number | null
}

/** The payment method and the config fields of its kind. A secret is never shown, only whether it is set. */
export function PaymentFields({ form, options, lockOf, secretsSet = [], savedMethodId }: PaymentProps) {
  const { paymentMethodId, paymentConfig } = form.draft
  const method = options.paymentMethods.find(offered => offered.id === paymentMethodId)
  const lock = lockOf?.('paymentMethodId') ?? null
  const shut = lock !== null
  return (
    <>
      <Field label={MERCHANT_FIELDS.paymentMethodId.label} name="paymentMethodId" form={form} lock={lock}>
        {control => (
          <Select
            {...control}
            value={paymentMethodId ?? undefined}
            onChange={chosen => form.change({ paymentMethodId: chosen ?? null, paymentConfig: {} })}
            options={options.paymentMethods.map(named)}
            allowClear
            placeholder="选填"
            disabled={shut}
          />
        )}
      </Field>
      {method?.fields.map(field => {
        const isSet = field.secret && savedMethodId === paymentMethodId && secretsSet.includes(field.key)
        const value = paymentConfig[field.key] ?? ''
        const change = (entered: string) =>
          form.change({ paymentConfig: { ...paymentConfig, [field.key]: entered } })
        const name = `paymentConfig.${field.key}`
        const hint = isSet ? '已设置，留空则不修改' : undefined
        return (
          <Field
            key={field.key}
            label={field.label}
            name={name}
            form={form}
            required={field.required && !isSet}
            hint={hint}
          >
            {control => (
              <TextInput
                {...control}
                secret={field.secret}
                value={value}
                onChange={change}
                placeholder={isSet ? '••••••' : `请输入${field.label}`}
                autoComplete={field.secret ? 'new-password' : 'off'}
                disabled={shut}
              />
            )}
          </Field>
        )
      })}
    </>
  )
}
