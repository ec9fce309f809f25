import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { AgentPicker } from '#features/office/agents/AgentPicker.tsx'
import RegionPicker from '#features/office/regions/RegionPicker.tsx'
import type { Typed } from '#kit/declare/form.ts'
import { CHANNEL_NAMES, PAY_CHANNELS, type PayChannelName } from '#kit/ports/channels.ts'
import { api } from '#web/client/api.ts'
import { useSession } from '#web/client/session.ts'
import { discountText } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Check, SwitchField } from '#web/form/Check.tsx'
import { Field, FormSection } from '#web/form/Field.tsx'
import { GroupFields } from '#web/form/FormFields.tsx'
import { Select } from '#web/form/Select.tsx'
import type { FieldsOf } from '#web/form/useForm.ts'
import type { partners } from './contract.ts'
import { PARTNER_FIELDS as FIELDS, type TERMS } from './fields.ts'
import styles from './partners.module.css'
import { ACCOUNT_FORMAT_WORDS, type Channels, PARTNER_REFUSALS } from './rules.ts'

const partnersApi = api<typeof partners>('partners')
const Day = lazy(() => import('#web/form/dates/Day.tsx').then(module => ({ default: module.Day })))

/** What is said of a partner beside its fields. */
export type MoreTerms = { methodIds: number[]; channels: Channels }

export const NO_MORE_TERMS: MoreTerms = {
  methodIds: [],
  channels: Object.fromEntries(PAY_CHANNELS.map(channel => [channel, null])) as Channels,
}

type TermsForm = FieldsOf<Typed<typeof TERMS> & MoreTerms>

const FORMATS = Object.entries(ACCOUNT_FORMAT_WORDS).map(([value, label]) => ({
  value: value as keyof typeof ACCOUNT_FORMAT_WORDS,
  label,
}))

type FieldsProps = { form: TermsForm }

/** What the operator says of a partner that is there, in groups. */
export function PartnerFields({ form }: FieldsProps) {
  return (
    <>
      <CompanyFields form={form} />
      <FurtherTerms form={form} />
    </>
  )
}

/** Who a partner is, and at which level: enough to begin with. */
export function CompanyFields({ form }: FieldsProps) {
  const choices = useQuery(partnersApi.choices.query()).data
  return (
    <FormSection title="公司">
      <GroupFields fields={FIELDS} group="company" form={form} />
      <Field form={form} name="districtCode" label={FIELDS.districtCode.label}>
        {control => (
          <RegionPicker
            {...control}
            value={form.draft.districtCode}
            onChange={districtCode => form.change({ districtCode })}
          />
        )}
      </Field>
      <Field form={form} name="levelId" label={FIELDS.levelId.label} required>
        {control => (
          <Select
            {...control}
            value={form.draft.levelId ?? undefined}
            options={choices?.levels.map(({ id, name, discountBasisPoints }) => ({
              value: id,
              label: `${name}（${discountText(discountBasisPoints)}）`,
            }))}
            onSearch={null}
            placeholder={PARTNER_REFUSALS.LEVEL_UNKNOWN}
            onChange={levelId => form.change({ levelId: levelId ?? null })}
          />
        )}
      </Field>
    </FormSection>
  )
}

/** Under whom a new partner stands; one that is there moves by a dialog of its own, which shows what that changes. */
export function ParentField({ form }: FieldsProps) {
  return (
    <Field form={form} name="parentId" label={FIELDS.parentId.label} hint={FIELDS.parentId.control.hint}>
      {({ id }) => (
        <AgentPicker
          id={id}
          placeholder="厂商直属"
          value={form.draft.parentId ?? undefined}
          onChange={parentId => form.change({ parentId: parentId ?? null })}
        />
      )}
    </Field>
  )
}

/** What else is agreed with a partner; each has a value to begin with. */
export function FurtherTerms({ form }: FieldsProps) {
  const { isOperator } = useSession()
  const choices = useQuery(partnersApi.choices.query()).data
  return (
    <>
      <FormSection title="合同">
        <Suspense>
          <DayField form={form} name="contractFrom" />
          <DayField form={form} name="contractTo" />
        </Suspense>
      </FormSection>
      <FormSection title="权限与渠道">
        <Field form={form} name="accountFormat" label={FIELDS.accountFormat.label}>
          {control => (
            <Select
              {...control}
              value={form.draft.accountFormat ?? undefined}
              options={FORMATS}
              onSearch={null}
              onChange={accountFormat => accountFormat && form.change({ accountFormat })}
            />
          )}
        </Field>
        <SwitchField form={form} name="payEnabled" label={FIELDS.payEnabled.label} />
        <SwitchField form={form} name="hasFullMenu" label={FIELDS.hasFullMenu.label} />
        {isOperator && <SwitchField form={form} name="isVendorStaff" label={FIELDS.isVendorStaff.label} />}
        {PAY_CHANNELS.map(channel => (
          <ChannelField
            key={channel}
            form={form}
            channel={channel}
            isForAll={choices?.channels.find(one => one.channel === channel)?.isForAll ?? false}
          />
        ))}
      </FormSection>
      <Methods form={form} methods={choices?.methods ?? []} />
    </>
  )
}

function DayField({ form, name }: { form: TermsForm; name: 'contractFrom' | 'contractTo' }) {
  return (
    <Field form={form} name={name} label={FIELDS[name].label}>
      {control => (
        <Day
          {...control}
          value={form.draft[name]}
          onChange={day => form.change({ [name]: day })}
          allowClear
          placeholder="未约定"
        />
      )}
    </Field>
  )
}

type ChannelProps = { form: TermsForm; channel: PayChannelName; isForAll: boolean }

function ChannelField({ form, channel, isForAll }: ChannelProps) {
  const { channels } = form.draft
  const chosen = channels[channel]
  return (
    <Field form={form} name={`channels.${channel}`} label={`充值渠道：${CHANNEL_NAMES[channel]}`}>
      {control => (
        <Select
          {...control}
          value={chosen === null ? 'all' : chosen ? 'on' : 'off'}
          onSearch={null}
          options={[
            { value: 'all', label: `同全部代理商（${isForAll ? '开放' : '不开放'}）` },
            { value: 'on', label: '开放' },
            { value: 'off', label: '不开放' },
          ]}
          onChange={value =>
            form.change({ channels: { ...channels, [channel]: value === 'all' ? null : value === 'on' } })
          }
        />
      )}
    </Field>
  )
}

type Method = { id: number; name: string; isForAll: boolean }

function Methods({ form, methods }: { form: TermsForm; methods: readonly Method[] }) {
  const { methodIds } = form.draft
  return (
    <FormSection title="支付方式" plain>
      <p className={look.quiet}>商户可用的支付方式，除全部开放的以外还可另外开放：</p>
      <div className={styles.methods}>
        {methods.map(({ id, name, isForAll }) => (
          <Check
            key={id}
            checked={isForAll || methodIds.includes(id)}
            disabled={isForAll ? '对全部代理商开放' : null}
            onChange={on =>
              form.change({ methodIds: on ? [...methodIds, id] : methodIds.filter(one => one !== id) })
            }
          >
            {name}
          </Check>
        ))}
      </div>
    </FormSection>
  )
}
