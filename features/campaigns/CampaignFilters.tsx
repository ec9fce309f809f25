import { DayFilters } from '#features/merchants/DayFilters.tsx'
import { Choice, choicesOf } from '#features/merchants/FilterControls.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import type { CampaignParams } from './MessageEditingPage.tsx'
import { CAMPAIGN_STATUSES } from './rules.ts'

/** The advanced filter of campaigns. */
export default function CampaignFilters() {
  const [{ status }, setParams] = useListParams<CampaignParams>()
  return (
    <DayFilters label="创建时间">
      <Choice
        label="状态"
        value={status}
        options={choicesOf(CAMPAIGN_STATUSES)}
        onChange={chosen => setParams({ status: chosen })}
      />
    </DayFilters>
  )
}
