import { useEffect, useState } from 'react'
import { formatCount } from '#kit/money.ts'
import {
  FAILURES,
  JOB_STATES,
  type JobRow,
  type JobState,
  PRINT_KINDS,
  PRINT_WORDS,
} from '#kit/print/bridge/bridge.ts'
import { formatInstant } from '#kit/time.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { copyText } from '#web/controls/copy.ts'
import { look } from '#web/controls/look.ts'
import { StatusTag, type Tone } from '#web/controls/StatusTag.tsx'
import { toast } from '#web/controls/toast.ts'
import { EmptyState } from '#web/form/LoadStates.tsx'
import { useLink } from '#web/print/BridgeNote.tsx'
import { askLog, cancelJob, reprintJob } from '#web/print/bridge-link.ts'
import styles from './printing.module.css'

const TONES: Record<JobState, Tone> = {
  ...{ accepted: 'attention', printing: 'attention' },
  ...{ done: 'done', failed: 'problem' },
}
const SHOWN = 10

/** What this office has printed at this desk, the last first. */
export function JobLog() {
  const { log } = useLink()
  const [isWhole, setWhole] = useState(false)
  useEffect(askLog, [])
  const rows = isWhole ? (log ?? []) : (log ?? []).slice(0, SHOWN)
  return (
    <section className={styles.part} aria-labelledby="printing-log">
      <h2 id="printing-log" className={look.sectionTitle}>
        打印记录
      </h2>
      {log?.length === 0 && (
        <EmptyState title="还没有打印过">
          <p>从标签或小票模板打印，或先打印一张校准页。</p>
        </EmptyState>
      )}
      <ul className={styles.cards}>
        {rows.map(row => (
          <Row key={row.id} row={row} />
        ))}
      </ul>
      {log && log.length > rows.length && (
        <div>
          <Button onClick={() => setWhole(true)}>显示全部 {log.length} 条</Button>
        </div>
      )}
    </section>
  )
}

function Row({ row }: { row: JobRow }) {
  const waits = row.state === 'accepted' || row.state === 'printing'
  return (
    <li className={styles.card} data-part="job">
      <div>
        <h3 className={styles.name}>
          {row.name || PRINT_KINDS[row.kind]}{' '}
          <StatusTag tone={TONES[row.state]}>{JOB_STATES[row.state]}</StatusTag>
        </h3>
        <p className={look.quiet}>
          {formatInstant(row.at)} · {row.targetName} · {row.copies} 份 · {formatCount(row.byteSize)} 字节
        </p>
        {row.reason && (
          <p className={styles.reason}>
            {FAILURES[row.reason]}
            {row.detail && `（${row.detail}）`}
          </p>
        )}
        <button type="button" className={styles.hash} onClick={() => void copyText(row.sha256)}>
          <span className={look.visuallyHidden}>复制 </span>SHA-256 <code>{row.sha256.slice(0, 12)}…</code>
        </button>
      </div>
      <div className={styles.deeds}>
        {waits ? (
          <Button onClick={() => cancelJob(row.id)}>取消</Button>
        ) : (
          <Button disabled={!row.kept && FAILURES['data-gone']} onClick={() => void reprint(row)}>
            重打
          </Button>
        )}
      </div>
    </li>
  )
}

async function reprint({ id, name, copies, targetName }: JobRow): Promise<void> {
  const isMeant = await confirm({
    title: `重打“${name}”？`,
    text: `同样的内容再打印 ${copies} 份到 ${targetName}。`,
    confirmText: '重打',
    changes: false,
  })
  if (!isMeant) return
  toast.info(PRINT_WORDS.accepted)
  const ended = await reprintJob(id, copies)
  if (ended.state === 'done') toast.success(PRINT_WORDS.done)
  else toast.error(`${PRINT_WORDS.missing}：${FAILURES[ended.reason]}`)
}
