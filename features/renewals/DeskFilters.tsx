import { Select } from 'antd'
import { AgentPicker } from '#features/agents/AgentPicker.tsx'
import { FilterGrid, Labelled } from '#features/merchants/FilterControls.tsx'
import { TouchControls } from '#web/form/TouchControls.tsx'
import { useManagers } from './DeskFilterChips.tsx'
import { type DeskParams, MARK_FILTERS } from './deskColumns.tsx'

type Props = { params: DeskParams; onChange: (changed: Partial<DeskParams>) => void; showAgents: boolean }

/** The filters of the desk; each change applies at once. */
export default function DeskFilters({ params, onChange, showAgents }: Props) {
  const managers = useManagers(params.agentId, true)
  const marks = Object.entries(MARK_FILTERS) as [NonNullable<DeskParams['mark']>, string][]
  return (
    <TouchControls>
      <FilterGrid>
        <Labelled label="客户经理/客服">
          <Select
            aria-label="客户经理/客服"
            value={params.managerId}
            onChange={managerId => onChange({ managerId })}
            options={managers.map(({ id, name }) => ({ value: id, label: name }))}
            showSearch={{ optionFilterProp: 'label' }}
            allowClear
            placeholder="全部"
          />
        </Labelled>
        <Labelled label="跟进状态">
          <Select
            aria-label="跟进状态"
            value={params.mark}
            onChange={mark => onChange({ mark })}
            options={marks.map(([value, label]) => ({ value, label }))}
            allowClear
            placeholder="全部"
          />
        </Labelled>
        {showAgents && (
          <Labelled label="代理商">
            <AgentPicker
              value={params.agentId}
              onChange={agentId => onChange({ agentId, managerId: undefined })}
            />
          </Labelled>
        )}
      </FilterGrid>
    </TouchControls>
  )
}
