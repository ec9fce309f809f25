import { useState } from 'react'
import { formatCount } from '#kit/money.ts'
import { Button } from '#web/controls/Button.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import styles from './batch.module.css'
import type { Batch } from './batch.tsx'

const AROUND = 10

/** How far each row is: those around the one that is printed now, or all. */
export function RunRows({ batch, printed }: { batch: Batch; printed: number }) {
  const [isWhole, setWhole] = useState(false)
  let before = 0
  const rows = batch.rows.map(({ data, copies }, at) => {
    const done = Math.max(0, Math.min(copies, printed - before))
    before += copies
    return { at, copies, done, words: batch.fields.map(({ key }) => data[key] ?? '').filter(Boolean) }
  })
  const current = Math.max(
    0,
    rows.findIndex(({ done, copies }) => done < copies),
  )
  const from = isWhole ? 0 : Math.max(0, Math.min(current - 2, rows.length - AROUND))
  const shown = isWhole ? rows : rows.slice(from, from + AROUND)
  return (
    <>
      <ul className={styles.progressRows} aria-label="各行进度">
        {shown.map(({ at, copies, done, words }) => (
          <li key={at} data-part="row">
            <span className={styles.number}>{at + 1}</span>
            <span className={styles.rowWords} data-tip-cut>
              {words.join(' · ') || '（无内容）'}
            </span>
            <span className={styles.number}>
              已打 {formatCount(done)}，剩 {formatCount(copies - done)}
            </span>
            <StatusTag tone={done === copies ? 'done' : done > 0 ? 'attention' : 'neutral'}>
              {done === copies ? '已打印' : done > 0 ? '部分打印' : '未打印'}
            </StatusTag>
          </li>
        ))}
      </ul>
      {rows.length > shown.length && (
        <div>
          <Button onClick={() => setWhole(true)}>显示全部 {formatCount(rows.length)} 行</Button>
        </div>
      )}
    </>
  )
}
