import { lazy, useState } from 'react'
import {
  DRAWN,
  FAILURES,
  PRINT_LANGUAGES,
  PRINT_MODE_KEYS,
  PRINT_MODES,
  PRINT_WORDS,
  printModeHelp,
  TARGET_STATES,
  TARGET_WAYS,
  type Target,
  type TargetState,
} from '#kit/print/bridge/bridge.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag, type Tone } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { Choice } from '#web/form/Choice.tsx'
import { EmptyState } from '#web/form/LoadStates.tsx'
import { useLink } from '#web/print/BridgeNote.tsx'
import { checkTarget, sendJob, setMode } from '#web/print/bridge-link.ts'
import styles from './printing.module.css'
import { wordsOf } from './rules.ts'

const CalibrateDialog = lazy(() => import('./CalibrateDialog.tsx'))

const TONES: Record<TargetState, Tone> = {
  ...{ ready: 'done', offline: 'problem' },
  ...{ unknown: 'neutral', busy: 'attention' },
}

/** The printers of the program's own list. */
export function Printers({ targets }: { targets: readonly Target[] }) {
  const [calibrated, setCalibrated] = useState<string | null>(null)
  const open = targets.find(({ id }) => id === calibrated)
  if (targets.length === 0)
    return (
      <EmptyState title="还没有打印机">
        <p>把打印机写进打印程序的 config.json，重新启动程序后显示在这里。</p>
      </EmptyState>
    )
  return (
    <>
      <ul className={styles.cards}>
        {targets.map(target => (
          <Printer key={target.id} target={target} onCalibrate={() => setCalibrated(target.id)} />
        ))}
      </ul>
      <Suspense>{open && <CalibrateDialog target={open} onClose={() => setCalibrated(null)} />}</Suspense>
    </>
  )
}

function Printer({ target, onCalibrate }: { target: Target; onCalibrate: () => void }) {
  const [busy, setBusy] = useState(false)
  const { name, way, language, state, waiting, calibration } = target
  const print = async () => {
    setBusy(true)
    await printSheet(target).finally(() => setBusy(false))
  }
  return (
    <li className={styles.card} data-part="printer">
      <div>
        <h3 className={styles.name}>
          {name} <StatusTag tone={TONES[state]}>{TARGET_STATES[state]}</StatusTag>
        </h3>
        <p className={look.quiet}>
          {TARGET_WAYS[way]} · {PRINT_LANGUAGES[language]} · 每毫米 {calibration.dots} 点
          {waiting > 0 && ` · ${waiting} 个任务在等`}
        </p>
        <p className={look.quiet}>校准：{wordsOf(calibration) || '未校准'}</p>
        <ModeOf target={target} />
      </div>
      <div className={styles.deeds}>
        <Button onClick={() => checkTarget(target.id)} aria-label={`检测 ${name}`}>
          检测
        </Button>
        <Button busy={busy} onClick={() => void print()} aria-label={`打印校准页 ${name}`}>
          打印校准页
        </Button>
        <Button onClick={onCalibrate} aria-label={`校准 ${name}`}>
          校准
        </Button>
      </div>
    </li>
  )
}

/** Dots or words, and what that means. A program that knows no modes prints dots, and nothing is asked. */
function ModeOf({ target }: { target: Target }) {
  const { caps } = useLink()
  const { id, name, language, speech = DRAWN } = target
  if (language === 'pdf' || !caps.includes('mode')) return null
  return (
    <div className={styles.mode}>
      <Choice
        label={`打印方式 ${name}`}
        options={PRINT_MODE_KEYS.map(value => ({ value, label: PRINT_MODES[value] }))}
        value={speech.mode}
        onChange={mode => setMode(id, mode)}
      />
      <p className={look.quiet}>{printModeHelp(language, speech)}</p>
    </div>
  )
}

/** The ruler, as the printer is calibrated now. */
async function printSheet({ id, language, calibration }: Target): Promise<void> {
  const { sheetFor } = await import('#kit/print/bridge/bridge-sheet.ts')
  const data = await sheetFor(language, calibration)
  const job = { id: crypto.randomUUID(), target: id, kind: 'label' as const, name: '校准页', copies: 1, data }
  const sending = sendJob(job, step => {
    if (step.state === 'accepted') toast.info(PRINT_WORDS.accepted)
  })
  // A printer that is away is waited for by the log, not by the button.
  const ended = await Promise.race([sending, new Promise<null>(resolve => setTimeout(resolve, 5_000, null))])
  if (ended?.state === 'done') toast.success(PRINT_WORDS.done)
  else if (ended) toast.error(`${PRINT_WORDS.missing}：${FAILURES[ended.reason]}`)
}
