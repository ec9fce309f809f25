import {
  PRINT_KIND_KEYS,
  PRINT_KINDS,
  PRINT_LANGUAGE_KEYS,
  type PrintKind,
  type Target,
} from '#kit/print/bridge/bridge.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { look } from '#web/controls/look.ts'
import { Select } from '#web/form/Select.tsx'
import { BridgeNote, useLink } from '#web/print/BridgeNote.tsx'
import { forget, setDefault } from '#web/print/bridge-link.ts'
import { type PrintJob, usePrint } from '#web/print/usePrint.tsx'
import { JobLog } from './JobLog.tsx'
import { Printers } from './Printers.tsx'
import { ProgramOffer } from './ProgramOffer.tsx'
import styles from './printing.module.css'
import { WithoutProgram } from './WithoutProgram.tsx'

/** How this desk prints: its program, its printers, what was printed. */
export default function PrintersPage() {
  const { state, desk } = useLink()
  const printing = usePrint()
  return (
    <div className={`${look.page} ${styles.page}`}>
      <header className={styles.head}>
        <h1 className={look.pageTitle}>打印设置</h1>
        <Button onClick={() => void printing.print(TRIAL)}>试打一张</Button>
      </header>
      {state !== 'ready' && <WithoutProgram />}
      <section className={styles.part} aria-labelledby="printing-bridge">
        <h2 id="printing-bridge" className={look.sectionTitle}>
          本机打印程序
        </h2>
        <BridgeNote />
        {state === 'ready' ? (
          <div>
            <Button onClick={() => void unpair()}>解除配对</Button>
          </div>
        ) : (
          <ProgramOffer />
        )}
      </section>
      {state === 'ready' && desk && (
        <>
          <section className={styles.part} aria-labelledby="printing-targets">
            <h2 id="printing-targets" className={look.sectionTitle}>
              打印机
            </h2>
            {desk.targets.length > 0 && (
              <div className={styles.defaults}>
                {PRINT_KIND_KEYS.map(kind => (
                  <DefaultOf key={kind} kind={kind} value={desk.defaults[kind]} targets={desk.targets} />
                ))}
              </div>
            )}
            <Printers targets={desk.targets} />
          </section>
          <JobLog />
        </>
      )}
      {printing.dialog}
    </div>
  )
}

/** The ruler by whatever way to paper there is. */
const TRIAL: PrintJob = {
  ...{ kind: 'label', name: '试打页', copies: 1, languages: PRINT_LANGUAGE_KEYS },
  bytesFor: async (language, calibration) =>
    (await import('#kit/print/bridge/bridge-sheet.ts')).sheetFor(language, calibration),
}

async function unpair(): Promise<void> {
  const isMeant = await confirm({
    title: '解除与本机打印程序的配对？',
    text: '此浏览器不能再打印到本机的打印机，重新配对后恢复；打印机设置和打印记录保留。',
    confirmText: '解除配对',
    danger: true,
    changes: false,
  })
  if (isMeant) forget()
}

type DefaultProps = { kind: PrintKind; value: string | null; targets: readonly Target[] }

/** Kept by the program, so that every browser of the desk has the same. */
function DefaultOf({ kind, value, targets }: DefaultProps) {
  const isKnown = targets.some(({ id }) => id === value)
  return (
    <Select
      label={`${PRINT_KINDS[kind]}默认打印机`}
      placeholder="未指定"
      allowClear
      onSearch={null}
      value={isKnown && value !== null ? value : undefined}
      options={targets.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={chosen => setDefault(kind, chosen ?? null)}
    />
  )
}
