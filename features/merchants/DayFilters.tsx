import type { ReactNode } from 'react'
import { AgentPicker } from '#features/agents/AgentPicker.tsx'
import { TouchControls } from '#web/form/TouchControls.tsx'
import { type ListParams, useListParams } from '#web/list/useListParams.ts'
import { useSession } from '#web/session.ts'
import { DayRange, FilterGrid, Labelled } from './FilterControls.tsx'

type Params = ListParams & { from?: string; to?: string; agentId?: number }

type Props = {
  /** What happened on the days: 创建时间. */
  label: string
  /** The list is of one's own rows, or of no agent's: staff choose no agent. */
  withoutAgent?: boolean
  /** The list's own choices, before the days. */
  children: ReactNode
}

/** The advanced filter of a list of what happened: its own choices, the days, and for staff the agent. Each change applies at once. */
export function DayFilters({ label, withoutAgent, children }: Props) {
  const session = useSession()
  const [params, setParams] = useListParams<Params>()
  return (
    <TouchControls>
      <FilterGrid>
        {children}
        <DayRange
          label={label}
          from={params.from}
          to={params.to}
          direction="past"
          onChange={(from, to) => setParams({ from, to })}
        />
        {session.isVendorStaff && !withoutAgent && (
          <Labelled label="代理商">
            <AgentPicker value={params.agentId} onChange={agentId => setParams({ agentId })} />
          </Labelled>
        )}
      </FilterGrid>
    </TouchControls>
  )
}
