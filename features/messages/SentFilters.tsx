import { AgentPicker } from '#features/agents/AgentPicker.tsx'
import { Choice, choicesOf, DayRange, Labelled } from '#features/merchants/FilterControls.tsx'
import { TouchControls } from '#features/merchants/TouchControls.tsx'
import { useSession } from '#web/session.ts'
import { useListParams } from '#web/useListParams.ts'
import { ABNORMAL_STATUSES, MESSAGE_KINDS, MESSAGE_STATUSES } from './rules.ts'
import type { SentParams } from './useSentChips.tsx'

const ABNORMAL = ABNORMAL_STATUSES.map(value => ({ value, label: MESSAGE_STATUSES[value] }))

/** The advanced filter of what was sent. Each change applies at once. */
export default function SentFilters({ abnormal = false }: { abnormal?: boolean }) {
  const session = useSession()
  const [params, setParams] = useListParams<SentParams>()
  return (
    <TouchControls>
      <div className="merchant-filters">
        <Choice
          label="状态"
          value={params.status}
          options={abnormal ? ABNORMAL : choicesOf(MESSAGE_STATUSES)}
          onChange={status => setParams({ status })}
        />
        <Choice
          label="类型"
          value={params.kind}
          options={choicesOf(MESSAGE_KINDS)}
          onChange={kind => setParams({ kind })}
        />
        <DayRange
          label="时间"
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
