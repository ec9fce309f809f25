import { DayFilters } from '#features/merchants/DayFilters.tsx'
import { Choice, choicesOf } from '#features/merchants/FilterControls.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import { KindChoice } from './KindChoice.tsx'
import { ABNORMAL_STATUSES, MESSAGE_STATUSES } from './rules.ts'
import type { SentParams } from './useSentChips.tsx'

const ABNORMAL = ABNORMAL_STATUSES.map(value => ({ value, label: MESSAGE_STATUSES[value] }))

/** The advanced filter of what was sent. */
export default function SentFilters({ abnormal = false }: { abnormal?: boolean }) {
  const [{ status }, setParams] = useListParams<SentParams>()
  return (
    <DayFilters label="时间">
      <Choice
        label="状态"
        value={status}
        options={abnormal ? ABNORMAL : choicesOf(MESSAGE_STATUSES)}
        onChange={chosen => setParams({ status: chosen })}
      />
      <KindChoice />
    </DayFilters>
  )
}
