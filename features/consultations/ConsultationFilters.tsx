import { DayFilters } from '#features/merchants/DayFilters.tsx'
import { Choice, choicesOf } from '#features/merchants/FilterControls.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import { CONTACTED, type ConsultationParams } from './ConsultationsPage.tsx'

/** The advanced filter of the consultations. */
export default function ConsultationFilters() {
  const [{ contacted }, setParams] = useListParams<ConsultationParams>()
  return (
    <DayFilters label="提交时间" withoutAgent>
      <Choice
        label="状态"
        value={contacted}
        options={choicesOf(CONTACTED)}
        onChange={chosen => setParams({ contacted: chosen })}
      />
    </DayFilters>
  )
}
