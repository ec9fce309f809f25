import { Labelled } from '#web/form/Labelled.tsx'
import type { PickerProps } from '#web/list/options.ts'
import type { FindAgents } from './AgentOptions.tsx'
import { AgentChoice } from './AgentPicker.tsx'

type Props = PickerProps & { queryKey: readonly string[]; find: FindAgents }

/** One agent of those that may be filtered by. */
export default function AgentFilter({ label, ...choice }: Props) {
  return (
    <Labelled label={label}>
      <AgentChoice {...choice} what={label} />
    </Labelled>
  )
}
