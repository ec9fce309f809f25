import { AgentPicker } from '#features/agents/AgentPicker.tsx'
import { Choice, choicesOf, DayRange, Labelled } from '#features/merchants/FilterControls.tsx'
import { TouchControls } from '#features/merchants/TouchControls.tsx'
import { useSession } from '#web/session.ts'
import { useListParams } from '#web/useListParams.ts'
import type { CampaignParams } from './MessageEditingPage.tsx'
import { CAMPAIGN_STATUSES } from './rules.ts'

/** The advanced filter of campaigns. Each change applies at once. */
export default function CampaignFilters() {
  const session = useSession()
  const [params, setParams] = useListParams<CampaignParams>()
  return (
    <TouchControls>
      <div className="merchant-filters">
        <Choice
          label="状态"
          value={params.status}
          options={choicesOf(CAMPAIGN_STATUSES)}
          onChange={status => setParams({ status })}
        />
        <DayRange
          label="创建时间"
          from={params.from}
          to={params.to}
          direction="past"
          onChange={(from, to) => setParams({ from, to })}
        />
        {session.isVendorStaff && (
          <Labelled label="代理商">
            <AgentPicker value={params.agentId} onChange={agentId => setParams({ agentId })} />
          </Labelled>
        )}
      </div>
    </TouchControls>
  )
}
