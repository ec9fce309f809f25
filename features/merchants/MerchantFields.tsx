// The fields that adding and editing a shop have in common, each with its rule's message (D1 §2, §5; D2 §5).
import RegionPicker from '#features/regions/RegionPicker.tsx'
import type { Out } from '#kit/op.ts'
import { Field } from '#web/form/Field.tsx'
import { Select } from '#web/form/Select.tsx'
import { TextField, TextInput } from '#web/form/TextField.tsx'
import type { FieldsOf } from '#web/form/useForm.ts'
import type { merchants } from './contract.ts'
import { LIMITS, type LockedField } from './rules.ts'

export type Options = Out<typeof merchants.options>

export type SharedDraft = {
  shortName: string
  shopName: string
  personName: string
  industryId: number | null
  districtCode: string
  address: string
  referrer: string
  managerId: number | null
  remark: string
  paymentMethodId: number | null
  paymentConfig: Record<string, string>
}

export type FieldsProps = {
  form: FieldsOf<SharedDraft>
  options: Options
  /** Nothing may be changed. */
  disabled?: boolean
  lockOf?: (field: LockedField) => string | null
}

const named = (row: { id: number; name: string }) => ({ value: row.id, label: row.name })

export function IndustryField({ form, options, disabled }: FieldsProps) {
  return (
    <Field label="行业类型" name="industryId" form={form} required>
      {control => (
        <Select
          {...control}
          value={form.draft.industryId ?? undefined}
          onChange={industryId => form.change({ industryId })}
          options={options.industries.map(named)}
          placeholder="请选择行业类型"
          disabled={disabled}
        />
      )}
    </Field>
  )
}

export function NameFields({ form, disabled }: FieldsProps) {
  return (
    <>
      <TextField
        label="店铺简称"
        name="shortName"
        form={form}
        required
        count={LIMITS.shortName}
        placeholder="用于小票和短信，最多8字"
        disabled={disabled}
      />
      <TextField
        label="店铺名称"
        name="shopName"
        form={form}
        required
        count={LIMITS.shopName}
        placeholder="请输入店铺名称"
        disabled={disabled}
      />
      <TextField
        label="商户姓名"
        name="personName"
        form={form}
        required
        count={LIMITS.personName}
        placeholder="请输入商户姓名"
        disabled={disabled}
      />
    </>
  )
}

export function AddressFields({ form, disabled }: FieldsProps) {
  return (
    <>
      <Field label="省市区" name="districtCode" form={form} required>
        {control => (
          <RegionPicker
            {...control}
            value={form.draft.districtCode}
            onChange={districtCode => form.change({ districtCode })}
            disabled={disabled}
          />
        )}
      </Field>
      <TextField label="详细地址" name="address" form={form} placeholder="街道、门牌号" disabled={disabled} />
    </>
  )
}

export function PeopleFields({ form, options, disabled, lockOf }: FieldsProps) {
  const referrerLock = lockOf?.('referrer') ?? null
  const managerLock = lockOf?.('managerId') ?? null
  return (
    <>
      <TextField
        label="推荐人"
        name="referrer"
        form={form}
        lock={referrerLock}
        placeholder="选填"
        disabled={disabled || referrerLock !== null}
      />
      <Field label="客户经理/客服" name="managerId" form={form} lock={managerLock}>
        {control => (
          <Select
            {...control}
            value={form.draft.managerId ?? undefined}
            onChange={managerId => form.change({ managerId: managerId ?? null })}
            options={options.managers.map(named)}
            allowClear
            placeholder="选填"
            disabled={disabled || managerLock !== null}
          />
        )}
      </Field>
      <TextField
        form={form}
        name="remark"
        label="备注"
        wide
        count={LIMITS.remark}
        rows={2}
        placeholder="选填，最多50字"
        disabled={disabled}
      />
    </>
  )
}

type PaymentProps = FieldsProps & {
  /** Keys of secret fields that hold a value on the server. */
  secretsSet?: readonly string[]
  /** The method that the secrets belong to. */
  savedMethodId?: number | null
}

/** The payment method and the config fields of its kind. A secret is never shown, only whether it is set. */
export function PaymentFields({
  form,
  options,
  disabled,
  lockOf,
  secretsSet = [],
  savedMethodId,
}: PaymentProps) {
  const { paymentMethodId, paymentConfig } = form.draft
  const method = options.paymentMethods.find(offered => offered.id === paymentMethodId)
  const lock = lockOf?.('paymentMethodId') ?? null
  const shut = disabled || lock !== null
  return (
    <>
      <Field label="支付方式" name="paymentMethodId" form={form} lock={lock}>
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
