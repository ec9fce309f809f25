import { createPortal } from 'react-dom'
import { formatCount } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { useSession } from '../client/session.ts'
import type { ListColumn } from './list-props.ts'
import styles from './PrintSheet.module.css'
import { PRINT_MAX, type Printed } from './usePrint.tsx'

type Props<Row> = {
  title: string
  columns: readonly ListColumn<Row>[]
  rowKey: (row: Row) => string | number
  printed: Printed<Row>
}

/** What is filtered, laid out for paper: nothing else of the page is printed with it. */
export function PrintSheet<Row>({ title, columns, rowKey, printed }: Props<Row>) {
  const session = useSession()
  const { rows, total, totalCapped, conditions, totals, at } = printed
  const heading = `${title} · ${conditions}`
  return createPortal(
    <section className={styles.sheet} data-part="print" aria-label={`${title}打印稿`}>
      <h1>{title}</h1>
      <p>
        <span>{session.companyName}</span>
        <span>打印人：{session.name}</span>
        <span>打印时间：{formatInstant(at)}</span>
        <span>条件：{conditions}</span>
      </p>
      <p>
        {totals ?? (
          <span>
            共 {formatCount(total)} 条{totalCapped && '以上'}
          </span>
        )}
      </p>
      {total > rows.length && (
        <p>仅打印前 {formatCount(PRINT_MAX)} 条，其余未列出；请缩小筛选范围，或导出全部</p>
      )}
      <table>
        <thead>
          {/* A page that lies alone says what it is of. */}
          <tr>
            <th colSpan={columns.length}>{heading}</th>
          </tr>
          <tr>
            {columns.map(({ key, title, align }) => (
              <th key={key} data-align={align}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={rowKey(row)}>
              {columns.map(({ key, align, render, below }) => (
                <td key={key} data-align={align}>
                  {render(row, index + 1)}
                  {below && <div>{below(row, index + 1)}</div>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>,
    document.body,
  )
}
