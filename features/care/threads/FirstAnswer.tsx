import { useQuery } from '@tanstack/react-query'
import { formatCount } from '#kit/money.ts'
import { Link } from '#web/controls/Link.tsx'
import { Figure } from '#web/facts/Figure.tsx'
import { minutesText } from './rules.ts'
import { threadsApi } from './threadsApi.tsx'

/** How soon shops got their first answer from the vendor, for the start page of its staff. */
export function FirstAnswer() {
  const { data } = useQuery(threadsApi.figures.query())
  if (!data) return null
  const { answered, medianMinutes, averageMinutes, withinPromise, hours } = data
  return (
    <Figure
      label="首次回复用时（近30天，中位数）"
      value={medianMinutes === null ? '—' : minutesText(medianMinutes)}
    >
      <dd>
        <Link to="/admin/help/feedbackList">
          {answered === 0 || averageMinutes === null
            ? '还没有回复过客户反馈'
            : `${formatCount(withinPromise)} / ${formatCount(answered)} 条在 ${hours} 小时内 · 平均 ${minutesText(averageMinutes)}`}
        </Link>
      </dd>
    </Figure>
  )
}
