import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react'
import { type BatchRow, isBlank, type RowFault } from '#kit/print/batch/batch-rows.ts'
import { type BatchField, COPIES_HEAD } from '#kit/print/batch/fields.ts'
import { IconClose } from '#web/controls/icons.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { sheetLook } from '#web/form/files/sheet-look.ts'
import styles from './rows.module.css'
import type { Rows } from './useRows.tsx'

const LINE_PX = 40
const BOX_PX = 400
/** Lines that are drawn above and below those that are seen. */
const AROUND = 8
const WIDTHS = { number: 48, field: 152, copies: 72, state: 288, acts: 44 }

export type RowsProps = {
  fields: readonly BatchField[]
  rows: Rows
  faultsOf: (row: BatchRow) => readonly RowFault[] | null
  /** The row in which one stands. */
  onStand: (row: BatchRow) => void
}

/** A spreadsheet of the rows, of which those are drawn that are seen. */
export function RowTable({ fields, rows: edited, faultsOf, onStand }: RowsProps) {
  const { rows } = edited
  const [top, setTop] = useState(0)
  const box = useRef<HTMLElement>(null)
  const columns = [...fields, { key: 'copies', label: COPIES_HEAD }]
  const first = Math.max(0, Math.floor(top / LINE_PX) - AROUND)
  const last = Math.min(rows.length, Math.ceil((top + BOX_PX) / LINE_PX) + AROUND)

  const go = (row: number, column: number) =>
    box.current?.querySelector<HTMLInputElement>(`[data-cell="${row}:${column}"]`)?.focus()
  const onKeyDown = (event: KeyboardEvent, row: number, column: number) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, Enter: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    go(row + step, column)
  }
  const onPaste = (event: ClipboardEvent, row: number, column: number) => {
    if (edited.paste(event.clipboardData.getData('text/plain'), { row, column })) event.preventDefault()
  }
  return (
    <section
      ref={box}
      aria-label="标签内容"
      className={sheetLook.box}
      style={{ maxHeight: BOX_PX }}
      onScroll={event => setTop(event.currentTarget.scrollTop)}
    >
      <table
        className={`${sheetLook.table} ${styles.table}`}
        aria-rowcount={rows.length + 1}
        style={{
          minWidth: WIDTHS.number + WIDTHS.copies + WIDTHS.state + WIDTHS.acts + WIDTHS.field * fields.length,
        }}
      >
        <colgroup>
          <col style={{ width: WIDTHS.number }} />
          {fields.map(({ key }) => (
            <col key={key} />
          ))}
          <col style={{ width: WIDTHS.copies }} />
          <col style={{ width: WIDTHS.state }} />
          <col style={{ width: WIDTHS.acts }} />
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className={`${sheetLook.number} ${styles.number}`}>
              行
            </th>
            {columns.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
            <th scope="col">检查</th>
            <th scope="col">
              <span className={look.visuallyHidden}>操作</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <tr aria-hidden className={styles.gap} style={{ height: first * LINE_PX }} />
          {rows.slice(first, last).map((row, index) => {
            const at = first + index
            const faults = faultsOf(row)
            return (
              <tr key={row.id} aria-rowindex={at + 2}>
                <td className={`${sheetLook.number} ${styles.number}`}>{at + 1}</td>
                {columns.map(({ key, label }, column) => (
                  <td key={key}>
                    <input
                      className={styles.cell}
                      data-cell={`${at}:${column}`}
                      aria-label={`第 ${at + 1} 行${label}`}
                      aria-invalid={isWrong(faults, key) || undefined}
                      aria-describedby={isWrong(faults, key) ? `batch-row-${row.id}` : undefined}
                      autoComplete="off"
                      inputMode={key === 'copies' ? 'numeric' : undefined}
                      placeholder={key === 'copies' && !isBlank(row) ? '1' : undefined}
                      value={key === 'copies' ? row.copies : (row.data[key] ?? '')}
                      onChange={({ target }) => edited.write(row.id, key, target.value)}
                      onFocus={() => onStand(row)}
                      onKeyDown={event => onKeyDown(event, at, column)}
                      onPaste={event => onPaste(event, at, column)}
                    />
                  </td>
                ))}
                <td id={`batch-row-${row.id}`}>
                  <RowState row={row} faults={faults} />
                </td>
                <td>{!isBlank(row) && <RemoveRow at={at} onRemove={() => edited.remove(row.id)} />}</td>
              </tr>
            )
          })}
          <tr aria-hidden className={styles.gap} style={{ height: (rows.length - last) * LINE_PX }} />
        </tbody>
      </table>
    </section>
  )
}

export const isWrong = (faults: readonly RowFault[] | null, key: string): boolean =>
  faults?.some(({ field, stops }) => stops && field === key) ?? false

/** The first of what is wrong in sight, all of it in the tip. */
export function RowState({ row, faults }: { row: BatchRow; faults: readonly RowFault[] | null }) {
  if (isBlank(row)) return null
  if (!faults) return <span className={look.quiet}>检查中</span>
  const first = faults.find(({ stops }) => stops) ?? faults[0]
  if (!first) return <StatusTag tone="done">可打印</StatusTag>
  const tip = faults.map(({ words, help }) => `${words}。${help}`).join('；')
  return (
    <span className={styles.state} data-tip={tip}>
      <StatusTag tone={first.stops ? 'problem' : 'attention'}>
        {first.stops ? '有误' : '提醒'}
        {faults.length > 1 && ` ${faults.length}`}
      </StatusTag>
      <span className={styles.stateWords}>{first.words}</span>
    </span>
  )
}

export function RemoveRow({ at, onRemove }: { at: number; onRemove: () => void }) {
  return (
    <button type="button" className={styles.remove} aria-label={`删除第 ${at + 1} 行`} onClick={onRemove}>
      <IconClose />
    </button>
  )
}
