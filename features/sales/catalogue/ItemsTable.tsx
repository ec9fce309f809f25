import type { ReactNode } from 'react'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import styles from './catalogue.module.css'

type Column<Row> = { label: string; align?: 'right'; cell: (row: Row) => ReactNode }
type Props<Row> = {
  title: string
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  nameOf: (row: Row) => string
  columns: readonly Column<Row>[]
  /** Absent where nothing is switched off. */
  isOn?: (row: Row) => boolean
  /** Absent where one may only look. */
  onEdit?: ((row: Row) => void) | undefined
  main: ReactNode
  empty: string
}

/** A short list that is kept by hand: few rows, all of them, each to be edited. */
export function ItemsTable<Row>({
  title,
  rows,
  keyOf,
  nameOf,
  columns,
  isOn,
  onEdit,
  main,
  empty,
}: Props<Row>) {
  return (
    <section>
      <div className={styles.head}>
        <h2 className={look.sectionTitle}>{title}</h2>
        {main}
      </div>
      {rows.length === 0 ? (
        <p className={look.quiet}>{empty}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard.
        <section className={styles.items} aria-label={title} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {columns.map(({ label, align }) => (
                  <th key={label} scope="col" data-align={align}>
                    {label}
                  </th>
                ))}
                {isOn && <th scope="col">状态</th>}
                {onEdit && <th scope="col">操作</th>}
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <tr key={keyOf(row)}>
                  {columns.map(({ label, align, cell }) => (
                    <td key={label} data-align={align}>
                      {cell(row)}
                    </td>
                  ))}
                  {isOn && <td>{isOn(row) ? '启用' : <StatusTag tone="neutral">已停用</StatusTag>}</td>}
                  {onEdit && (
                    <td>
                      <Button kind="link" aria-label={`编辑${nameOf(row)}`} onClick={() => onEdit(row)}>
                        编辑
                      </Button>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  )
}
