import { Choice, choicesOf, DayRange } from '#features/merchants/FilterControls.tsx'
import { TouchControls } from '#features/merchants/TouchControls.tsx'
import type { OutboxParams } from './OutboxPage.tsx'
import { MESSAGE_KINDS } from './rules.ts'

type Props = { params: OutboxParams; onChange: (changed: Partial<OutboxParams>) => void }

/** The advanced filter of the outbox. Each change applies at once. */
export default function OutboxFilters({ params, onChange }: Props) {
  return (
    <TouchControls>
      <div className="merchant-filters">
        <Choice
          label="类型"
          value={params.kind}
          options={choicesOf(MESSAGE_KINDS)}
          onChange={kind => onChange({ kind })}
        />
        <DayRange
          label="时间"
          from={params.from}
          to={params.to}
          direction="past"
          onChange={(from, to) => onChange({ from, to })}
        />
      </div>
    </TouchControls>
  )
}
