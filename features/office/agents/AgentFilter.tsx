import { Labelled } from '#web/form/Labelled.tsx'
import type { PickerProps } from '#web/list/options.ts'
import { AgentChoice } from './AgentPicker.tsx'

/** At most 20 agents whose number or name holds the text. */
export type FindAgents = (input: {
  search?: string
}) => Promise<{ rows: { id: number; companyName: string }[] }>

type Props = PickerProps & { queryKey: readonly string[]; find: FindAgents }

/** One agent of those that may be filtered by. */
export default function AgentFilter({ label, ...choice }: Props) {
  return (
    <Labelled label={label}>
      <AgentChoice {...choice} what={label} />
    </Labelled>
  )
}
