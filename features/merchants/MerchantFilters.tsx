import { useQuery } from '@tanstack/react-query'
import { AgentPicker } from '#features/agents/AgentPicker.tsx'
import type { versions } from '#features/versions/contract.ts'
import { api } from '#web/api.ts'
import type { merchants } from './contract.ts'
import { Choice, choicesOf, DayRange, Labelled } from './FilterControls.tsx'
import { type ListParams, lastLoginText } from './MerchantFilterChips.tsx'
import { LAST_LOGIN_DAYS, MERCHANT_STATUSES, STORE_KINDS } from './rules.ts'
import { SubAgentPicker } from './SubAgentPicker.tsx'
import { TouchControls } from './TouchControls.tsx'

const merchantsApi = api<typeof merchants>('merchants')
const versionsApi = api<typeof versions>('versions')

/** Whose agents may be chosen: all, those below, or none. */
type Agents = 'all' | 'below' | 'none'

type Props = { params: ListParams; onChange: (changed: Partial<ListParams>) => void; agents: Agents }

/** The advanced filter of the merchant list (D1 §2, §9; decisions.md on the last login). Each change applies at once. */
export default function MerchantFilters({ params, onChange, agents }: Props) {
  const options = useQuery({ queryKey: ['merchants', 'options'], queryFn: () => merchantsApi.options({}) })
  const catalogue = useQuery({ queryKey: ['versions', 'list'], queryFn: () => versionsApi.list() })
  return (
    <TouchControls>
      <div className="merchant-filters">
        <DayRange
          label="注册时间"
          from={params.registeredFrom}
          to={params.registeredTo}
          direction="past"
          onChange={(registeredFrom, registeredTo) => onChange({ registeredFrom, registeredTo })}
        />
        <DayRange
          label="到期时间"
          from={params.expiresFrom}
          to={params.expiresTo}
          direction="coming"
          onChange={(expiresFrom, expiresTo) => onChange({ expiresFrom, expiresTo })}
        />
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
        {agents === 'all' && (
          <Labelled label="代理商">
            <AgentPicker value={params.agentId} onChange={agentId => onChange({ agentId })} />
          </Labelled>
        )}
        {agents === 'below' && (
          <Labelled label="下级代理商">
            <SubAgentPicker value={params.agentId} onChange={agentId => onChange({ agentId })} />
          </Labelled>
        )}
      </div>
    </TouchControls>
  )
}

const named = (row: { id: number; name: string }) => ({ value: row.id, label: row.name })
