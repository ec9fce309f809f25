// Bars over a few labels, drawn by ECharts when they are shown, with the same figures as a table beside them.

import { lazy, useId, useState } from 'react'
import { Button } from '../controls/Button.tsx'
import { look } from '../controls/look.ts'
import { Suspense } from '../controls/Suspense.tsx'
import styles from './Chart.module.css'
import type { ChartProps } from './chart-props.ts'

const ChartBars = lazy(() => import('./ChartBars.tsx'))

/** A chart with its title and a switch to its table. Each bar and each cell leads to what it counts. */
export default function Chart(props: ChartProps) {
  const [asTable, setAsTable] = useState(false)
  const id = useId()
  const values = props.series.flatMap(series => series.values)
  const isEmpty = props.emptyText !== undefined && values.every(value => value === 0)
  return (
    <figure className={styles.chart} aria-labelledby={id}>
      <figcaption>
        <span id={id} className={styles.chartTitle}>
          {props.title}
          <span className={styles.chartUnit}>（{props.unit}）</span>
        </span>
        {props.withTotal && !isEmpty && (
          <span className={`${styles.chartTotal} ${look.number}`}>
            合计 {props.format(values.reduce((sum, value) => sum + value, 0))}
          </span>
        )}
        {!isEmpty && (
          <Button kind="quiet" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            {asTable ? '看图表' : '看表格'}
          </Button>
        )}
      </figcaption>
      {isEmpty ? (
        <p className={styles.chartNone}>{props.emptyText}</p>
      ) : asTable ? (
        <ChartTable {...props} />
      ) : (
        <>
          {props.series.length > 1 && (
            <ul className={styles.chartLegend}>
              {props.series.map(series => (
                <li key={series.name} data-tone={series.tone}>
                  {series.name}
                </li>
              ))}
            </ul>
          )}
          <div className={styles.chartCanvas} aria-hidden="true">
            <Suspense>
              <ChartBars {...props} />
            </Suspense>
          </div>
          <div className={look.visuallyHidden}>
            <ChartTable {...props} onPick={undefined} unseen />
          </div>
        </>
      )}
      {props.hint && <p className={styles.chartHint}>{props.hint}</p>}
    </figure>
  )
}

type TableProps = ChartProps & {
  /** Only for screen readers: it does not scroll. */
  unseen?: boolean
}

function ChartTable({ title, labels, series, format, onPick, unseen }: TableProps) {
  return (
    <section
      className={unseen ? undefined : styles.chartTable}
      aria-label={`${title}表格`}
      tabIndex={unseen || onPick ? undefined : 0}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">时间</th>
            {series.map(one => (
              <th key={one.name} scope="col" data-align="right">
                {one.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, row) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {series.map((one, column) => (
                <td key={one.name} data-align="right" className={look.number}>
                  {onPick ? (
                    <Button kind="link" onClick={() => onPick(row, column)}>
                      {format(one.values[row] ?? 0)}
                    </Button>
                  ) : (
                    format(one.values[row] ?? 0)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
