import { AgentPicker } from '#features/agents/AgentPicker.tsx'
import { Choice, FilterGrid, Labelled } from '#features/merchants/FilterControls.tsx'
import { TouchControls } from '#web/form/TouchControls.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import { useSession } from '#web/session.ts'
import type { ForecastParams } from './SmsForecastPage.tsx'

const OF = [
  { value: 'merchant' as const, label: '商户' },
  { value: 'agent' as const, label: '代理商' },
]

/** Whose credit is looked at, and whether only that which ends this week. */
export default function ForecastFilters() {
  const session = useSession()
  const [params, setParams] = useListParams<ForecastParams>()
  return (
    <TouchControls>
      <FilterGrid>
        <Choice
          label="余量"
          value={params.driesUp}
          options={[{ value: 'true' as const, label: '本周将用尽' }]}
          onChange={driesUp => setParams({ driesUp })}
        />
        {session.isVendorStaff && (
          <>
            <Choice
              label="对象"
              value={params.of ?? 'merchant'}
              options={OF}
              onChange={of => setParams({ of })}
            />
            <Labelled label="代理商">
              <AgentPicker value={params.agentId} onChange={agentId => setParams({ agentId })} />
            </Labelled>
          </>
        )}
      </FilterGrid>
    </TouchControls>
  )
}
