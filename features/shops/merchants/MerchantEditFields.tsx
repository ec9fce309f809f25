import { ReasonText } from '#features/office/reference-data/ReasonText.tsx'
import { formatInstant } from '#kit/time.ts'
import { ExactInstantPicker } from '#web/form/dates/InstantPicker.tsx'
import { Field, FormSection } from '#web/form/Field.tsx'
import { GroupFields, inputOf } from '#web/form/FormFields.tsx'
import { optionsOf } from '#web/form/options.ts'
import { Select } from '#web/form/Select.tsx'
import { TextField, TextInput } from '#web/form/TextField.tsx'
import type { FieldsOf, Form } from '#web/form/useForm.ts'
import type { Merchant } from './contract.ts'
import type { EditDraft } from './EditMerchantDraft.tsx'
import { MERCHANT_FIELDS, VERIFICATION_CHANGE } from './fields.ts'
import { AddressFields, IndustryField, type Options, PaymentFields, PeopleFields } from './MerchantFields.tsx'
import { asksVerificationReason, type LockedField, STORE_KINDS } from './rules.ts'

type Props = {
  form: Form<EditDraft>
  merchant: Merchant
  options: Options
  lockOf: (field: LockedField) => string | null
}

export function MerchantEditFields({ form, merchant, options, lockOf }: Props) {
  return (
    <>
      <FormSection title="基本信息">
        <GroupFields fields={MERCHANT_FIELDS} group="names" form={form} />
        <AccountFields form={form} lockOf={lockOf} />
        <IndustryField form={form} options={options} />
        <AddressFields form={form} />
      </FormSection>
      <FormSection title="版本与期限">
        <VersionFields form={form} merchant={merchant} options={options} lockOf={lockOf} />
        <InstantField form={form} name="registeredAt" lockOf={lockOf} />
        <InstantField form={form} name="expiresAt" lockOf={lockOf} />
      </FormSection>
      <FormSection title="认证">
        <VerificationFields form={form} merchant={merchant} lockOf={lockOf} />
      </FormSection>
      <FormSection title="支付配置">
        <PaymentFields
          form={form}
          options={options}
          lockOf={lockOf}
          secretsSet={merchant.paymentSecretsSet}
          savedMethodId={merchant.paymentMethodId}
        />
      </FormSection>
      <FormSection title="其他">
        <PeopleFields form={form} options={options} lockOf={lockOf} />
      </FormSection>
    </>
  )
}

function AccountFields({ form, lockOf }: Pick<Props, 'form' | 'lockOf'>) {
  const accountLock = lockOf('account')
  return (
    <>
      <TextField
        label={MERCHANT_FIELDS.account.label}
        name="account"
        form={form}
        required
        lock={accountLock}
        inputMode="numeric"
        disabled={accountLock !== null}
      />
      <TextField
        label="密码"
        name="password"
        form={form}
        hint="留空则不修改"
        secret
        autoComplete="new-password"
      />
      <GroupFields fields={MERCHANT_FIELDS} group="contact" form={form} />
    </>
  )
}

/** What the provider answered about the shop's papers, and why it said no. */
function VerificationFields({ form, merchant, lockOf }: Pick<Props, 'form' | 'merchant' | 'lockOf'>) {
  const lock = lockOf('verificationStatus')
  const words = MERCHANT_FIELDS.verificationStatus.words
  return (
    <>
      <Field
        label={MERCHANT_FIELDS.verificationStatus.label}
        name="verificationStatus"
        form={form}
        lock={lock}
      >
        {control => (
          <Select
            {...control}
            value={form.draft.verificationStatus}
            onChange={verificationStatus => verificationStatus && form.change({ verificationStatus })}
            options={optionsOf(words)}
            disabled={lock !== null}
          />
        )}
      </Field>
      {asksVerificationReason(form.draft, merchant) && (
        <TextField
          {...inputOf(VERIFICATION_CHANGE.verificationReason)}
          name="verificationReason"
          form={form as FieldsOf<{ verificationReason: string }>}
          required
          wide
        />
      )}
      {form.draft.verificationStatus === 'failed' && (
        <ReasonText
          of="verification"
          label={MERCHANT_FIELDS.verificationRefusal.label}
          name="verificationRefusal"
          form={form}
          required
          wide
          lock={lock}
          disabled={lock !== null}
          placeholder="请输入认证失败原因，商户和代理商都能看到"
        />
      )}
    </>
  )
}

function VersionFields({
  form,
  merchant,
  options: { versions },
  lockOf,
}: Pick<Props, 'form' | 'merchant' | 'options' | 'lockOf'>) {
  const versionLock = lockOf('versionId')
  const kindLock = lockOf('storeKind')
  const knows = versions.some(version => version.id === merchant.versionId)
  const current = { value: merchant.versionId, label: merchant.versionName }
  const choices = versions.map(version => ({ value: version.id, label: version.name }))
  return (
    <>
      <Field label={MERCHANT_FIELDS.versionId.label} name="versionId" form={form} lock={versionLock}>
        {control => (
          <Select
            {...control}
            value={form.draft.versionId}
            onChange={versionId => versionId !== undefined && form.change({ versionId })}
            options={knows ? choices : [current, ...choices]}
            disabled={versionLock !== null}
          />
        )}
      </Field>
      <Field label={MERCHANT_FIELDS.storeKind.label} name="storeKind" form={form} lock={kindLock}>
        {control => (
          <Select
            {...control}
            value={form.draft.storeKind}
            onChange={storeKind => storeKind && form.change({ storeKind })}
            options={(['head', 'branch'] as const).map(value => ({ value, label: STORE_KINDS[value] }))}
            disabled={kindLock !== null}
          />
        )}
      </Field>
    </>
  )
}

type InstantProps = Pick<Props, 'form' | 'lockOf'> & { name: 'registeredAt' | 'expiresAt' }

/** An instant as Shanghai's wall clock; an end that is cleared means permanent. */
function InstantField({ form, name, lockOf }: InstantProps) {
  const lock = lockOf(name)
  const value = form.draft[name]
  const permanent = name === 'expiresAt'
  return (
    <Field
      label={MERCHANT_FIELDS[name].label}
      name={name}
      form={form}
      lock={lock}
      hint={lock === null && permanent ? '清空表示永久' : undefined}
    >
      {control =>
        lock === null ? (
          <ExactInstantPicker
            {...control}
            value={value}
            onChange={instant => {
              if (instant || permanent) form.change({ [name]: instant })
            }}
            allowClear={permanent}
            placeholder={permanent ? '永久' : '请选择时间'}
          />
        ) : (
          <TextInput
            {...control}
            value={value === null ? '永久' : formatInstant(value)}
            onChange={() => undefined}
            disabled
          />
        )
      }
    </Field>
  )
}
