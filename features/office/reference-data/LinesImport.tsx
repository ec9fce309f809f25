import { type ReactNode, useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { formatCount } from '#kit/money.ts'
import { SHEET_ENDINGS } from '#kit/words/sheet.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { base64Of } from '#web/form/files/base64.ts'
import { SheetNotes } from '#web/form/files/SheetNotes.tsx'
import type { referenceData } from './contract.ts'
import { FilePick, Problem, useAttempt } from './FilePick.tsx'
import styles from './reference.module.css'
import { referenceApi } from './referenceApi.tsx'
import { REFERENCE_REFUSALS } from './rules.ts'

type Rehearsal = Out<typeof referenceData.rehearseRows>
type Chosen = { name: string; text: string; notes: readonly string[]; rehearsal: Rehearsal }

type Props = {
  /** What is brought: 工作日历, 行政区划. */
  title: string
  /** The table that it is for; null: the divisions. */
  table: string | null
  /** What the file looks like. */
  about: ReactNode
  rehearse: (text: string) => Promise<Rehearsal>
  bring: (text: string, token: string) => Promise<unknown>
  /** What else is typed before it is brought, and why it cannot be yet. */
  more?: ReactNode
  lock?: string | null
  onDone: () => void
}

/** Lines of text brought into a table: chosen, checked, and only then taken over. */
export function LinesImport({ title, table, about, rehearse, bring, more, lock = null, onDone }: Props) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const { busy, message, attempt } = useAttempt()
  const take = (picked: File) =>
    attempt(async () => {
      setChosen(null)
      const { text, notes } = await referenceApi.readTable({ table, bytes: await base64Of(picked) })
      setChosen({ name: picked.name, text, notes, rehearsal: await rehearse(text) })
    })
  const finish = ({ text, rehearsal }: Chosen) =>
    attempt(async () => {
      await bring(text, rehearsal.token)
      toast.success(`${title}已导入`)
      await reread()
      onDone()
    })
  return (
    <section className={styles.lineImport} aria-label={`导入${title}`}>
      <p className={look.quiet}>{about}</p>
      <FilePick accept={SHEET_ENDINGS} busy={busy} onPick={picked => void take(picked)}>
        {chosen ? '重新选择文件' : '选择表格文件'}
      </FilePick>
      <Problem message={message} />
      {chosen && (
        <>
          <SheetNotes notes={chosen.notes} />
          <Result {...chosen} />
          {more}
          <Button
            kind="primary"
            busy={busy}
            disabled={refusalOf(chosen.rehearsal) ?? lock}
            onClick={() => void finish(chosen)}
          >
            导入
          </Button>
        </>
      )}
    </section>
  )
}

function refusalOf({ errorCount, added, changed, removed }: Rehearsal): string | null {
  if (errorCount > 0) return REFERENCE_REFUSALS.FILE_REFUSED
  return added.length + changed.length + removed.length === 0 ? '与现有的相同，无需导入' : null
}

const SHOWN = 50

/** What the lines would do, or what is wrong with them, each at its line. */
function Result({ name, rehearsal }: Pick<Chosen, 'name' | 'rehearsal'>) {
  const { added, changed, removed, same, errors, errorCount } = rehearsal
  const parts: [what: string, rows: Rehearsal['added']][] = [
    ['新增', added],
    ['修改', changed],
    ['停用', removed],
  ]
  if (errorCount > 0)
    return (
      <section aria-label="检查结果">
        <h3 className={look.sectionTitle}>{`${name}：${errorCount} 处有误，未导入`}</h3>
        <ul className={styles.plain}>
          {errors.map(({ line, message }) => (
            <li key={`${line} ${message}`}>
              <span className={look.number}>第 {line} 行</span> {message}
            </li>
          ))}
          {errorCount > errors.length && <li>其余 {errorCount - errors.length} 处未列出</li>}
        </ul>
      </section>
    )
  return (
    <section aria-label="检查结果">
      <h3 className={look.sectionTitle}>
        {`${name}：${parts.map(([what, rows]) => `${what} ${formatCount(rows.length)}`).join('，')}，不变 ${formatCount(same)}`}
      </h3>
      {parts.map(
        ([what, rows]) =>
          rows.length > 0 && (
            <details key={what} open={rows.length <= SHOWN}>
              <summary>{`${what} ${rows.length} 项`}</summary>
              <ul className={styles.plain}>
                {rows.map(row => (
                  <li key={`${row.name} ${row.what}`}>
                    {row.name} <span className={look.quiet}>{row.what}</span>
                  </li>
                ))}
              </ul>
            </details>
          ),
      )}
    </section>
  )
}
