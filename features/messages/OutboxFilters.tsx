import { DayFilters } from '#features/merchants/DayFilters.tsx'
import { KindChoice } from './KindChoice.tsx'

/** The advanced filter of the outbox. */
export default function OutboxFilters() {
  return (
    <DayFilters label="时间" withoutAgent>
      <KindChoice />
    </DayFilters>
  )
}
