import { Choice, choicesOf, DayRange } from '#features/merchants/FilterControls.tsx'
import { TouchControls } from '#features/merchants/TouchControls.tsx'
import { CONTACTED, type ConsultationParams } from './ConsultationsPage.tsx'

type Props = { params: ConsultationParams; onChange: (changed: Partial<ConsultationParams>) => void }

/** The advanced filter of the consultations. Each change applies at once. */
export default function ConsultationFilters({ params, onChange }: Props) {
  return (
    <TouchControls>
      <div className="merchant-filters">
        <Choice
          label="状态"
          value={params.contacted}
          options={choicesOf(CONTACTED)}
          onChange={contacted => onChange({ contacted })}
        />
        <DayRange
          label="提交时间"
          from={params.from}
          to={params.to}
          direction="past"
          onChange={(from, to) => onChange({ from, to })}
        />
      </div>
    </TouchControls>
  )
}
