import { Input, InputNumber } from 'antd'
import type { AccountFormat } from '#features/agents/rules.ts'
import { asksBranches, LIMITS as TERM_LIMITS } from '#features/versions/rules.ts'
import { Choices, TermPicker, VersionPicker } from '#features/versions/VersionPicker.tsx'
import { type Draft, type Version, withTerm, withVersion } from './AddMerchantDraft.tsx'
import {
  type ControlProps,
  type DraftForm,
  FieldNote,
  FormField,
  FormSection,
  fieldId,
} from './FormField.tsx'
import {
  AddressFields,
  IndustryField,
  NameFields,
  type Options,
  PaymentFields,
  PeopleFields,
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
        <FormField
          label="短信条数"
          name="smsCount"
          form={form}
          hint={
            smsLeft === null ? undefined : `从您的短信余额划转，当前 ${smsLeft.toLocaleString('en-US')} 条`
          }
        >
          {control => (
            <Input
              {...control}
              value={form.draft.smsCount}
              onChange={event => form.change({ smsCount: event.target.value })}
              inputMode="numeric"
              suffix="条"
              placeholder="0"
              autoComplete="off"
            />
          )}
        </FormField>
      </FormSection>
      <FormSection title="支付配置">
        <PaymentFields form={form} options={options} />
      </FormSection>
    </>
  )
}

function PurchaseSection({ form, versions, version }: Pick<Props, 'form' | 'versions' | 'version'>) {
  const { draft } = form
  const group = (name: string) => ({
    id: fieldId(name),
    invalid: form.messageOf(name) !== null,
    describedBy: `${fieldId(name)}-note`,
    onBlur: () => form.touch(name),
  })
  const note = (name: string) => <FieldNote id={fieldId(name)} message={form.messageOf(name)} />
  return (
    <section className="form-section">
      <h2 className="form-section-title">软件版本</h2>
      <VersionPicker
        {...group('versionId')}
        versions={versions}
        value={draft.versionId}
        onChange={chosen => form.replace(withVersion(draft, chosen))}
      />
      {note('versionId')}
      {version && (
        <div className="form-grid">
          <Labelled label="购买时限">
            <TermPicker
              {...group('term')}
              version={version}
              value={draft.term}
              onChange={term => form.replace(withTerm(draft, term))}
            />
            {note('term')}
          </Labelled>
          {draft.term && draft.term !== 'lifetime' && (
            <Labelled label={draft.term === 'year' ? '购买年数' : '购买月数'}>
              <Choices
                {...group('periods')}
                label={draft.term === 'year' ? '购买年数' : '购买月数'}
                choices={periodsOf(draft.term)}
                value={draft.periods}
                onChange={periods => form.change({ periods })}
              />
              {note('periods')}
            </Labelled>
          )}
          <QuantityField form={form} version={version} />
        </div>
      )}
    </section>
  )
}

function Labelled({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="form-field">
      <span className="form-field-label">
        {label}
        <span className="form-field-required" aria-hidden="true">
          *
        </span>
      </span>
      {children}
    </div>
  )
}

function periodsOf(term: 'year' | 'month') {
  const most = term === 'year' ? TERM_LIMITS.yearsMax : TERM_LIMITS.monthsMax
  const unit = term === 'year' ? '年' : '个月'
  return Array.from({ length: most }, (_, index) => ({ value: index + 1, label: `${index + 1} ${unit}` }))
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
      <FormField label="账号" name="account" form={form} required hint={ACCOUNT_HINTS[accountFormat]}>
        {control => (
          <Input
            {...control}
            value={form.draft.account}
            onChange={event => form.change({ account: event.target.value })}
            inputMode="numeric"
            placeholder="商户登录收银软件的账号"
            autoComplete="off"
          />
        )}
      </FormField>
      <FormField label="密码" name="password" form={form} required hint="至少6位，字母、数字或常用符号">
        {control => (
          <Input.Password
            {...control}
            value={form.draft.password}
            onChange={event => form.change({ password: event.target.value })}
            placeholder="请输入密码"
            autoComplete="new-password"
          />
        )}
      </FormField>
    </FormSection>
  )
}
