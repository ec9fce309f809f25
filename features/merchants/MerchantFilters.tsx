import { useQuery } from '@tanstack/react-query'
import { DatePicker, Select } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import type { ReactNode } from 'react'
import { AgentPicker } from '#features/agents/AgentPicker.tsx'
import type { versions } from '#features/versions/contract.ts'
import { formatDay } from '#kit/time.ts'
import { api } from '#web/api.ts'
import type { merchants } from './contract.ts'
import { type ListParams, lastLoginText } from './MerchantFilterChips.tsx'
import { DATE_PRESET_DAYS, LAST_LOGIN_DAYS, MERCHANT_STATUSES, STORE_KINDS } from './rules.ts'
import { TouchControls } from './TouchControls.tsx'

const merchantsApi = api<typeof merchants>('merchants')
const versionsApi = api<typeof versions>('versions')

type Props = { params: ListParams; onChange: (changed: Partial<ListParams>) => void; showAgents: boolean }

/** The advanced filter of the merchant list (D1 §2, §9; decisions.md on the last login). Each change applies at once. */
export default function MerchantFilters({ params, onChange, showAgents }: Props) {
  const options = useQuery({ queryKey: ['merchants', 'options'], queryFn: () => merchantsApi.options({}) })
  const catalogue = useQuery({ queryKey: ['versions', 'list'], queryFn: () => versionsApi.list() })
  return (
    <TouchControls>
      <div className="merchant-filters">
        <Labelled label="注册时间">
          <DayRange
            label="注册时间"
            from={params.registeredFrom}
            to={params.registeredTo}
            direction="past"
            onChange={(registeredFrom, registeredTo) => onChange({ registeredFrom, registeredTo })}
          />
        </Labelled>
        <Labelled label="到期时间">
          <DayRange
            label="到期时间"
            from={params.expiresFrom}
            to={params.expiresTo}
            direction="coming"
            onChange={(expiresFrom, expiresTo) => onChange({ expiresFrom, expiresTo })}
          />
        </Labelled>
        <Choice
          label="最近登录"
          value={params.lastLoginDays}
          options={[0, ...LAST_LOGIN_DAYS].map(value => ({ value, label: lastLoginText(value) }))}
          onChange={lastLoginDays => onChange({ lastLoginDays })}
        />
        <Choice
          label="店铺状态"
          value={params.status}
          options={choicesOf(MERCHANT_STATUSES)}
          onChange={status => onChange({ status })}
        />
        <Choice
          label="软件版本"
          value={params.versionId}
          options={catalogue.data?.rows.map(named)}
          onChange={versionId => onChange({ versionId })}
        />
        <Choice
          label="行业类型"
          value={params.industryId}
          options={options.data?.industries.map(named)}
          onChange={industryId => onChange({ industryId })}
        />
        <Choice
          label="门店类型"
          value={params.storeKind}
          options={choicesOf(STORE_KINDS)}
          onChange={storeKind => onChange({ storeKind })}
        />
        <Choice
          label="支付方式"
          value={params.paymentMethodId}
          options={options.data?.paymentMethods.map(named)}
          onChange={paymentMethodId => onChange({ paymentMethodId })}
        />
        {showAgents && (
          <Labelled label="代理商">
            <AgentPicker value={params.agentId} onChange={agentId => onChange({ agentId })} />
          </Labelled>
        )}
      </div>
    </TouchControls>
  )
}

const named = (row: { id: number; name: string }) => ({ value: row.id, label: row.name })

function choicesOf<K extends string>(names: Record<K, string>): { value: K; label: string }[] {
  return (Object.keys(names) as K[]).map(value => ({ value, label: names[value] }))
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child.
    <label className="merchant-filter">
      <span className="merchant-filter-label">{label}</span>
      {children}
    </label>
  )
}

type ChoiceProps<V> = {
  label: string
  value: V | undefined
  options: { value: V; label: string }[] | undefined
  onChange: (value: V | undefined) => void
}

/** One of a list, or all. */
function Choice<V extends string | number>({ label, value, options, onChange }: ChoiceProps<V>) {
  return (
    <Labelled label={label}>
      <Select
        aria-label={label}
        value={options ? value : undefined}
        onChange={chosen => onChange(chosen)}
        options={options}
        loading={!options}
        showSearch={{ optionFilterProp: 'label' }}
        allowClear
        placeholder="全部"
      />
    </Labelled>
  )
}

type RangeProps = {
  label: string
  from: string | undefined
  to: string | undefined
  /** Whether the presets look back (近 7 天) or ahead (7 天内). */
  direction: 'past' | 'coming'
  onChange: (from: string | undefined, to: string | undefined) => void
}

function DayRange({ label, from, to, direction, onChange }: RangeProps) {
  const today = dayjs(formatDay(new Date()))
  const presets = DATE_PRESET_DAYS.map(days => ({
    label: direction === 'past' ? `近 ${days} 天` : `${days} 天内`,
    value: (direction === 'past'
      ? [today.subtract(days - 1, 'day'), today]
      : [today, today.add(days - 1, 'day')]) as [Dayjs, Dayjs],
  }))
  const day = (text: string | undefined) => (text ? dayjs(text) : null)
  return (
    <DatePicker.RangePicker
      aria-label={label}
      value={[day(from), day(to)]}
      onChange={range => onChange(range?.[0]?.format('YYYY-MM-DD'), range?.[1]?.format('YYYY-MM-DD'))}
      presets={presets}
      allowEmpty={[true, true]}
      classNames={{ popup: { root: 'merchant-filter-days' } }}
      placeholder={['开始日期', '结束日期']}
    />
  )
}
