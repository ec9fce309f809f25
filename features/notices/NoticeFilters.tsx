import { Choice, choicesOf, FilterGrid } from '#features/merchants/FilterControls.tsx'
import { TouchControls } from '#web/form/TouchControls.tsx'
import type { NoticeParams } from './NoticesPage.tsx'
import { TOPICS } from './rules.ts'

type Props = { params: NoticeParams; onChange: (changed: Partial<NoticeParams>) => void }

/** The advanced filter of the notices. Each change applies at once. */
export default function NoticeFilters({ params, onChange }: Props) {
  return (
    <TouchControls>
      <FilterGrid>
        <Choice
          label="类型"
          value={params.topic}
          options={choicesOf(TOPICS)}
          onChange={topic => onChange({ topic })}
        />
        <Choice
          label="状态"
          value={params.unread}
          options={choicesOf({ true: '未读' })}
          onChange={unread => onChange({ unread })}
        />
      </FilterGrid>
    </TouchControls>
  )
}
