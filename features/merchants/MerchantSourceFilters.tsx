import { AgentPicker } from '#features/agents/AgentPicker.tsx'
import { Choice, choicesOf, DayRange, FilterGrid, Labelled } from './FilterControls.tsx'
import type { SourceParams } from './MerchantSourcePage.tsx'
import { SOURCES } from './rules.ts'
import { TouchControls } from './TouchControls.tsx'

type Props = { params: SourceParams; onChange: (changed: Partial<SourceParams>) => void }

/** The advanced filter of the source list. Each change applies at once. */
export default function MerchantSourceFilters({ params, onChange }: Props) {
  return (
    <TouchControls>
      <FilterGrid>
        <Choice
          label="来源"
          value={params.source}
          options={choicesOf(SOURCES)}
          onChange={source => onChange({ source })}
        />
        <Labelled label="代理商">
          <AgentPicker value={params.agentId} onChange={agentId => onChange({ agentId })} />
        </Labelled>
        <DayRange
          label="注册时间"
          from={params.registeredFrom}
          to={params.registeredTo}
          direction="past"
          onChange={(registeredFrom, registeredTo) => onChange({ registeredFrom, registeredTo })}
        />
      </FilterGrid>
    </TouchControls>
  )
}
