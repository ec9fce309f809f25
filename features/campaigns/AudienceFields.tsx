import { useQuery } from '@tanstack/react-query'
import { Cascader } from 'antd'
import { useState } from 'react'
import { AgentPicker } from '#features/agents/AgentPicker.tsx'
import type { merchants } from '#features/merchants/contract.ts'
import { Choice, choicesOf, DayRange, Labelled } from '#features/merchants/FilterControls.tsx'
import { lastLoginText } from '#features/merchants/MerchantFilterChips.tsx'
import { LAST_LOGIN_DAYS, STORE_KINDS, VERIFICATION_STATUSES } from '#features/merchants/rules.ts'
import type { Division } from '#features/regions/rules.ts'
import type { versions } from '#features/versions/contract.ts'
import { api } from '#web/api.ts'
import { useSession } from '#web/session.ts'
import type { AudienceFilters } from './AudienceWords.tsx'

const merchantsApi = api<typeof merchants>('merchants')
const versionsApi = api<typeof versions>('versions')

type Props = { audience: AudienceFilters; onChange: (changed: Partial<AudienceFilters>) => void }

const named = (row: { id: number; name: string }) => ({ value: row.id, label: row.name })

/** Whom it is for: the filters of the list of shops, its manager, verification and region. */
export function AudienceFields({ audience, onChange }: Props) {
  const session = useSession()
  const options = useQuery({ queryKey: ['merchants', 'options'], queryFn: () => merchantsApi.options({}) })
  const catalogue = useQuery({ queryKey: ['versions', 'list'], queryFn: () => versionsApi.list() })
  return (
    <div className="campaign-two">
      {session.isVendorStaff && (
        <Labelled label="代理商">
          <AgentPicker value={audience.agentId} onChange={agentId => onChange({ agentId })} />
        </Labelled>
      )}
      <DayRange
        label="到期时间"
        from={audience.expiresFrom}
        to={audience.expiresTo}
        direction="coming"
        onChange={(expiresFrom, expiresTo) => onChange({ expiresFrom, expiresTo })}
      />
      <Choice
        label="软件版本"
        value={audience.versionId}
        options={catalogue.data?.rows.map(named)}
        onChange={versionId => onChange({ versionId })}
      />
      <Choice
        label="行业类型"
        value={audience.industryId}
        options={options.data?.industries.map(named)}
        onChange={industryId => onChange({ industryId })}
      />
      <RegionChoice value={audience.regionCode} onChange={regionCode => onChange({ regionCode })} />
      <Choice
        label="客户经理"
        value={audience.managerId}
        options={options.data?.managers.map(named)}
        onChange={managerId => onChange({ managerId })}
      />
      <DayRange
        label="注册时间"
        from={audience.registeredFrom}
        to={audience.registeredTo}
        direction="past"
        onChange={(registeredFrom, registeredTo) => onChange({ registeredFrom, registeredTo })}
      />
      <Choice
        label="最近登录"
        value={audience.lastLoginDays}
        options={[0, ...LAST_LOGIN_DAYS].map(value => ({ value, label: lastLoginText(value) }))}
        onChange={lastLoginDays => onChange({ lastLoginDays })}
      />
      <Choice
        label="门店类型"
        value={audience.storeKind}
        options={choicesOf(STORE_KINDS)}
        onChange={storeKind => onChange({ storeKind })}
      />
      <Choice
        label="认证状态"
        value={audience.verificationStatus}
        options={choicesOf(VERIFICATION_STATUSES)}
        onChange={verificationStatus => onChange({ verificationStatus })}
      />
      <Choice
        label="支付方式"
        value={audience.paymentMethodId}
        options={options.data?.paymentMethods.map(named)}
        onChange={paymentMethodId => onChange({ paymentMethodId })}
      />
      <SearchField value={audience.search} onChange={search => onChange({ search })} />
    </div>
  )
}

/** Applies when it is left or sent, so that half a name is not counted. */
function SearchField({
  value,
  onChange,
}: {
  value: string | undefined
  onChange: (search: string | undefined) => void
}) {
  const [text, setText] = useState(value ?? '')
  const apply = () => onChange(text.trim() === '' ? undefined : text.trim())
  return (
    <Labelled label="店铺 / 姓名 / 账号 / 推荐人包含">
      <input
        className="input"
        value={text}
        maxLength={50}
        placeholder="不限"
        onChange={event => setText(event.target.value)}
        onBlur={apply}
        onKeyDown={event => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          apply()
        }}
      />
    </Labelled>
  )
}

/** A province, a city or a district. */
function RegionChoice({
  value,
  onChange,
}: {
  value: string | undefined
  onChange: (regionCode: string | undefined) => void
}) {
  const divisions = useQuery({
    queryKey: ['regions', 'divisions'],
    queryFn: async () => (await import('#features/regions/divisions.ts')).provinces(),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const path =
    value && [2, 4, 6].filter(length => length <= value.length).map(length => value.slice(0, length))
  return (
    <Labelled label="所在地区">
      <Cascader<Division, 'code'>
        aria-label="所在地区"
        options={divisions.data ?? []}
        fieldNames={{ label: 'name', value: 'code', children: 'children' }}
        value={path && divisions.data ? path : undefined}
        onChange={codes => onChange(codes?.at(-1))}
        changeOnSelect
        showSearch
        loading={divisions.isPending}
        placeholder="全部"
      />
    </Labelled>
  )
}
