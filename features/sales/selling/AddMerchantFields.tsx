import type { AccountFormat } from '#features/office/agents/rules.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import {
  AddressFields,
  IndustryField,
  type Options,
  PaymentFields,
  PeopleFields,
} from '#features/shops/merchants/MerchantFields.tsx'
import { asksBranches } from '#features/shops/versions/rules.ts'
import { VersionContents } from '#features/shops/versions/VersionContents.tsx'
import {
  PERIOD_LABELS,
  PeriodPicker,
  TermPicker,
  type Version,
  VersionPicker,
} from '#features/shops/versions/VersionPicker.tsx'
import { YearInstead } from '#features/shops/versions/YearInstead.tsx'
import { Field, FormGrid, FormSection } from '#web/form/Field.tsx'
import { GroupFields } from '#web/form/FormFields.tsx'
import { NumberField } from '#web/form/NumberField.tsx'
import { TextField } from '#web/form/TextField.tsx'
import type { Form } from '#web/form/useForm.ts'
import { type Draft, withTerm, withVersion } from './AddMerchantDraft.tsx'

const ACCOUNT_HINTS: Record<AccountFormat, string> = {
  standard: '0、1、6 或 8 开头，10 至 11 位数字',
  long: '0、1、6 或 8 开头，8 至 11 位数字',
  any: '4 至 11 位数字',
}

type Props = {
  form: Form<Draft>
  versions: readonly Version[]
  version: Version | undefined
  options: Options
  accountFormat: AccountFormat
  /** SMS credit of the wallet; null while it is not known. */
  smsLeft: number | null
}

export function AddMerchantFields({ form, versions, version, options, accountFormat, smsLeft }: Props) {
  return (
    <>
      <PurchaseSection form={form} versions={versions} version={version} />
      <FormSection title="店铺信息">
        <IndustryField form={form} options={options} />
        <GroupFields fields={MERCHANT_FIELDS} group="names" form={form} />
        <GroupFields fields={MERCHANT_FIELDS} group="contact" form={form} />
      </FormSection>
      <AccountSection form={form} accountFormat={accountFormat} />
      <FormSection title="店铺地址">
        <AddressFields form={form} options={options} />
      </FormSection>
      <FormSection title="其他信息">
        <PeopleFields form={form} options={options} />
        <TextField
          label="短信条数"
          name="smsCount"
          form={form}
          hint={
            smsLeft === null ? undefined : `从您的短信余额划转，当前 ${smsLeft.toLocaleString('en-US')} 条`
          }
          inputMode="numeric"
          unit="条"
          placeholder="0"
        />
      </FormSection>
      <FormSection title="支付配置">
        <PaymentFields form={form} options={options} />
      </FormSection>
    </>
  )
}

function PurchaseSection({ form, versions, version }: Pick<Props, 'form' | 'versions' | 'version'>) {
  const { draft } = form
  const { term } = draft
  return (
    <FormSection title="软件版本" plain>
      <Field form={form} name="versionId" required group>
        {control => (
          <VersionPicker
            {...control}
            versions={versions}
            value={draft.versionId}
            onChange={chosen => form.change(withVersion(draft, chosen))}
          />
        )}
      </Field>
      <VersionContents versions={versions} chosen={draft.versionId} />
      {version && (
        <FormGrid>
          <Field form={form} name="term" label="购买时限" required group>
            {control => (
              <TermPicker
                {...control}
                version={version}
                value={term}
                onChange={chosen => form.change(withTerm(draft, chosen))}
              />
            )}
          </Field>
          {term && term !== 'lifetime' && (
            <Field form={form} name="periods" label={PERIOD_LABELS[term]} required group>
              {control => (
                <PeriodPicker
                  {...control}
                  term={term}
                  value={draft.periods}
                  onChange={periods => form.change({ periods })}
                />
              )}
            </Field>
          )}
          <YearInstead
            versions={[version]}
            term={term}
            months={draft.periods}
            onYear={() => form.change(withTerm(draft, 'year'))}
          />
          <QuantityField form={form} version={version} />
        </FormGrid>
      )}
    </FormSection>
  )
}

/** Shops, or branches beside the head shop; which of both the version asks for. */
function QuantityField({ form, version }: { form: Form<Draft>; version: Version }) {
  if (asksBranches(version))
    return (
      <NumberField
        form={form}
        name="branches"
        label="分店数量"
        required
        role="spinbutton"
        unit="家"
        hint="总店之外的分店，没有分店填 0"
      />
    )
  return (
    <NumberField
      form={form}
      name="shops"
      label="订购数量"
      required
      role="spinbutton"
      unit="家"
      hint="订购的店铺数"
    />
  )
}

function AccountSection({ form, accountFormat }: Pick<Props, 'form' | 'accountFormat'>) {
  return (
    <FormSection title="登录账号">
      <TextField
        label="账号"
        name="account"
        form={form}
        required
        hint={ACCOUNT_HINTS[accountFormat]}
        inputMode="numeric"
        placeholder="商户登录收银软件的账号"
      />
      <TextField
        label="密码"
        name="password"
        form={form}
        required
        hint="至少6位，字母、数字或常用符号"
        secret
        placeholder="请输入密码"
        autoComplete="new-password"
      />
    </FormSection>
  )
}
