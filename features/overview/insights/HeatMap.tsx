import { formatCount, percentText } from '#kit/money.ts'
import { look } from '#web/controls/look.ts'
import styles from './cohorts.module.css'
import { type CohortFilters, cohortTarget } from './fields-targets.ts'
import { Opens } from './Opens.tsx'
import {
  COHORT_MEASURES,
  type Cohort,
  type CohortCell,
  type CohortMeasure,
  type CohortUnit,
  cohortShare,
  columnMonths,
  columnName,
} from './rules.ts'

/** Steps of the colour. */
const STEPS = 7

/** More columns have a share alone, so that two years of months fit a screen. */
const DENSE_COLUMNS = 13

type Props = {
  cohorts: readonly Cohort[]
  measure: CohortMeasure
  unit: CohortUnit
} & CohortFilters

/** A table with a number in each cell, coloured by its share; it scrolls inside itself, the months stay. */
export function HeatMap({ cohorts, measure, unit, ...filters }: Props) {
  const columns = Math.max(1, ...cohorts.map(({ cells }) => cells.length))
  const places = Array.from({ length: columns }, (_, at) => at)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls inside itself. */}
      <section className={styles.scroll} tabIndex={0} aria-label={`${COHORT_MEASURES[measure]}热力图`}>
        <table
          className={styles.heat}
          data-measure={measure}
          data-dense={(measure !== 'renewed' && columns > DENSE_COLUMNS) || undefined}
        >
          <caption className={look.visuallyHidden}>
            {COHORT_MEASURES[measure]}：每行一个注册月份，每列为注册后的{unit === 'year' ? '年' : '月'}
          </caption>
          <thead>
            <tr>
              <th scope="col">注册月份</th>
              <th scope="col">商户（家）</th>
              {places.map(at => (
                <th key={at} scope="col">
                  {columnName(unit, at)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {cohorts.map(cohort => (
              <tr key={cohort.month}>
                <th scope="row">{cohort.month}</th>
                <td>
                  <Opens
                    {...cohortTarget('shops', cohort.month, columnMonths(unit, cohort.month, 0), filters)}
                  >
                    {formatCount(cohort.shops)}
                  </Opens>
                </td>
                {places.map(at => (
                  <Cell
                    key={at}
                    cohort={cohort}
                    cell={cohort.cells[at]}
                    {...{ at, measure, unit, filters }}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Legend measure={measure} />
    </>
  )
}

type CellProps = {
  cohort: Cohort
  /** Absent where its months have not ended. */
  cell: CohortCell | undefined
  at: number
  measure: CohortMeasure
  unit: CohortUnit
  filters: CohortFilters
}

/** The share, which opens what it is of all, and the numbers that it is made of. */
function Cell({ cohort, cell, at, measure, unit, filters }: CellProps) {
  const counted = cell && cohortShare(cohort, cell, measure)
  if (!cell || !counted) return <td className={styles.empty}>{cell && cohort.shops > 0 ? '—' : ''}</td>
  const { part, whole, share } = counted
  const column = columnMonths(unit, cohort.month, at)
  return (
    <td data-step={Math.round((share / 10_000) * (STEPS - 1))}>
      <Opens {...cohortTarget(measure, cohort.month, column, filters)}>
        <b>{percentText(share)}</b>
      </Opens>
      <small>
        {measure === 'renewed' ? (
          <>
            {formatCount(part)} 已续 ·{' '}
            <Opens {...cohortTarget('lapsed', cohort.month, column, filters)}>
              {formatCount(cell.lapsed)} 未续
            </Opens>
          </>
        ) : (
          `${formatCount(part)} / ${formatCount(whole)}`
        )}
      </small>
    </td>
  )
}

function Legend({ measure }: { measure: CohortMeasure }) {
  return (
    <div className={styles.legend} aria-hidden="true">
      <span>0%</span>
      <span className={styles.scale} data-measure={measure}>
        {Array.from({ length: STEPS }, (_, step) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps stand where they stand.
          <i key={step} data-step={step} />
        ))}
      </span>
      <span>100%</span>
    </div>
  )
}
