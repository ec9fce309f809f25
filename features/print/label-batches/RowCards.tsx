import { useState } from 'react'
import { isBlank } from '#kit/print/batch/batch-rows.ts'
import { COPIES_HEAD } from '#kit/print/batch/fields.ts'
import { Button } from '#web/controls/Button.tsx'
import { Labelled } from '#web/form/Labelled.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import { isWrong, RemoveRow, RowState, type RowsProps } from './RowTable.tsx'
import styles from './rows.module.css'

const MORE = 10

/** The rows on a phone: one below the other, the newest at hand. */
export function RowCards({ fields, rows: edited, faultsOf, onStand }: RowsProps) {
  const [shown, setShown] = useState(MORE)
  const columns = [...fields, { key: 'copies', label: COPIES_HEAD }]
  const left = edited.rows.length - shown
  return (
    <>
      <ul className={styles.cards} aria-label="标签内容">
        {edited.rows.slice(0, shown).map((row, at) => {
          const faults = faultsOf(row)
          return (
            <li key={row.id} className={styles.card} onFocus={() => onStand(row)}>
              <div className={styles.cardHead}>
                <span>第 {at + 1} 行</span>
                <span id={`batch-row-${row.id}`}>
                  <RowState row={row} faults={faults} />
                </span>
                {!isBlank(row) && <RemoveRow at={at} onRemove={() => edited.remove(row.id)} />}
              </div>
              <div className={styles.cardFields}>
                {columns.map(({ key, label }) => (
                  <Labelled key={key} label={label}>
                    <TextInput
                      aria-label={`第 ${at + 1} 行${label}`}
                      aria-invalid={isWrong(faults, key) || undefined}
                      aria-describedby={isWrong(faults, key) ? `batch-row-${row.id}` : undefined}
                      inputMode={key === 'copies' ? 'numeric' : undefined}
                      value={key === 'copies' ? row.copies : (row.data[key] ?? '')}
                      onChange={text => edited.write(row.id, key, text)}
                    />
                  </Labelled>
                ))}
              </div>
            </li>
          )
        })}
      </ul>
      {left > 0 && <Button onClick={() => setShown(shown + MORE * 5)}>显示更多（还有 {left} 行）</Button>}
    </>
  )
}
