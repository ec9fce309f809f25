import { InputNumber } from 'antd'
import type { AccountFormat } from '#features/agents/rules.ts'
import { asksBranches } from '#features/versions/rules.ts'
import { PERIOD_LABELS, PeriodPicker, TermPicker, VersionPicker } from '#features/versions/VersionPicker.tsx'
import { type Draft, type Version, withTerm, withVersion } from './AddMerchantDraft.tsx'
import styles from './FormField.module.css'
import {
  type ControlProps,
  type DraftForm,
  FormField,
  FormSection,
  GroupField,
  GroupNote,
  groupOf,
} from './FormField.tsx'
import {
  AddressFields,
  IndustryField,
  NameFields,
  type Options,
  PaymentFields,
  PeopleFields,
  TextField,
} from './MerchantFields.tsx'

const ACCOUNT_HINTS: Record<AccountFormat, string> = {
  standard: '0、1、6 或 8 开头，10 至 11 位数字',
  long: '0、1、6 或 8 开头，8 至 11 位数字',
  any: '4 至 11 位数字',
}

type Props = {
  form: DraftForm<Draft>
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
        <NameFields form={form} options={options} />
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
          suffix="条"
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
  return (
    <section className={styles.formSection}>
      <h2 className={styles.formSectionTitle}>软件版本</h2>
      <VersionPicker
        {...groupOf(form, 'versionId')}
        versions={versions}
        value={draft.versionId}
        onChange={chosen => form.replace(withVersion(draft, chosen))}
      />
      <GroupNote form={form} name="versionId" />
      {version && (
        <div className={styles.formGrid}>
          <GroupField label="购买时限">
            <TermPicker
              {...groupOf(form, 'term')}
              version={version}
              value={draft.term}
              onChange={term => form.replace(withTerm(draft, term))}
            />
            <GroupNote form={form} name="term" />
          </GroupField>
          {draft.term && draft.term !== 'lifetime' && (
            <GroupField label={PERIOD_LABELS[draft.term]}>
              <PeriodPicker
                {...groupOf(form, 'periods')}
                term={draft.term}
                value={draft.periods}
                onChange={periods => form.change({ periods })}
              />
              <GroupNote form={form} name="periods" />
            </GroupField>
          )}
          <QuantityField form={form} version={version} />
        </div>
      )}
    </section>
  )
}

/** Shops, or branches beside the head shop; which of both the version asks for. */
function QuantityField({ form, version }: { form: DraftForm<Draft>; version: Version }) {
  const number = (control: ControlProps, value: number | null, change: (value: number | null) => void) => (
    <InputNumber
      {...control}
      value={value}
      onChange={change}
      precision={0}
      suffix="家"
      style={{ width: '100%' }}
    />
  )
  if (asksBranches(version))
    return (
      <FormField label="分店数量" name="branches" form={form} required hint="总店之外的分店，没有分店填 0">
        {control => number(control, form.draft.branches, branches => form.change({ branches }))}
      </FormField>
    )
  return (
    <FormField label="订购数量" name="shops" form={form} required hint="订购的店铺数">
      {control => number(control, form.draft.shops, shops => form.change({ shops }))}
    </FormField>
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
