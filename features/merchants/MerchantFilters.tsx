import { AgentPicker } from '#features/agents/AgentPicker.tsx'
import { Choice, choicesOf, FilterGrid, Labelled } from './FilterControls.tsx'
import type { ListParams } from './MerchantFilterChips.tsx'
import { MERCHANT_STATUSES } from './rules.ts'
import { SubAgentPicker } from './SubAgentPicker.tsx'
import { TouchControls } from './TouchControls.tsx'
import { useShopFilters } from './useShopFilters.tsx'

/** Whose agents may be chosen: all, those below, or none. */
type Agents = 'all' | 'below' | 'none'

type Props = { params: ListParams; onChange: (changed: Partial<ListParams>) => void; agents: Agents }

/** The advanced filter of the merchant list (D1 §2, §9; decisions.md on the last login). Each change applies at once. */
export default function MerchantFilters({ params, onChange, agents }: Props) {
  const shop = useShopFilters(params, onChange)
  return (
    <TouchControls>
      <FilterGrid>
        {shop.registered}
        {shop.expires}
        {shop.lastLogin}
        <Choice
          label="店铺状态"
          value={params.status}
          options={choicesOf(MERCHANT_STATUSES)}
          onChange={status => onChange({ status })}
        />
        {shop.version}
        {shop.industry}
        {shop.storeKind}
        {shop.paymentMethod}
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
      </FilterGrid>
    </TouchControls>
  )
}
