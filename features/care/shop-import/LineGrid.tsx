import { type RefObject, useEffect, useRef, useState } from 'react'
import { formatCount } from '#kit/money.ts'
import { messageOf } from '#web/client/api.ts'
import { readAgain } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { StatusTag, type Tone } from '#web/controls/StatusTag.tsx'
import { toast } from '#web/controls/toast.ts'
import { sheetLook } from '#web/form/files/sheet-look.ts'
import { COLUMNS } from './fields.ts'
import styles from './import.module.css'
import { type ImportLine, importApi } from './importApi.tsx'
import { CELL_KEYS, type CellKey, ROW_STATES, type RowState } from './rules.ts'
import { type Shown, useLines } from './useLines.tsx'

const LINE_PX = 40
const BOX_PX = 480
const LINE_NUMBER_PX = 64
const STATE_PX = 184

/** Which columns are worth a place: those of the file, and those that a shop must have. */
export function columnsOf({ heads, mode }: Pick<Shown, 'heads' | 'mode'>): CellKey[] {
  return CELL_KEYS.filter(key => {
    if (COLUMNS[key].takeover && mode !== 'takeover') return false
    if (mode === 'takeover' && key === 'term') return false
    return COLUMNS[key].takeover || COLUMNS[key].required || heads.some(({ column }) => column === key)
  })
}

/** Sends what was typed; the line comes back checked. */
export async function saveCell(
  importId: number,
  rowId: number,
  cells: Partial<Record<CellKey, string>>,
): Promise<void> {
  try {
    await importApi.editRow({ id: importId, rowId, cells })
  } catch (error) {
    toast.error(messageOf(error))
  }
  readAgain('shopImport')
}

/** A spreadsheet of the lines, of which those are drawn that are seen. */
export function LineGrid(shown: Shown) {
  const { lines, above, below, onScroll } = useLines(shown, LINE_PX, BOX_PX)
  const columns = columnsOf(shown)
  const box = useRef<HTMLElement>(null)
  useFirstFault(box, lines)
  const widths = [LINE_NUMBER_PX, STATE_PX, ...columns.map(key => COLUMNS[key].width)]
  return (
    <section
      ref={box}
      aria-label="店铺"
      className={sheetLook.box}
      style={{ maxHeight: BOX_PX }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached with keys, too.
      tabIndex={0}
      onScroll={onScroll}
    >
      <table
        className={`${sheetLook.table} ${styles.table}`}
        aria-rowcount={shown.total + 1}
        style={{ width: widths.reduce((sum, width) => sum + width, 0) }}
      >
        <colgroup>
          {widths.map((width, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns stand where they stand.
            <col key={at} style={{ width }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className={sheetLook.number}>
              行
            </th>
            <th scope="col">状态</th>
            {columns.map(key => (
              <th key={key} scope="col">
                {COLUMNS[key].label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr aria-hidden className={styles.gap} style={{ height: above }} />
          {lines.map(({ at, line }) => (
            <tr key={at} aria-rowindex={at + 2} data-skip={line?.skip || undefined}>
              <td className={sheetLook.number}>{line ? formatCount(line.line) : ''}</td>
              <td>{line && <LineState line={line} importId={shown.id} editable={shown.editable} />}</td>
              {columns.map(key => (
                <Cell key={key} of={key} line={line} importId={shown.id} editable={shown.editable} />
              ))}
            </tr>
          ))}
          <tr aria-hidden className={styles.gap} style={{ height: below }} />
        </tbody>
      </table>
      {shown.total === 0 && <p className={styles.none}>没有这样的行</p>}
    </section>
  )
}

/** Brings the first cell that is wrong into sight, and the next one once that is mended; never while somebody types. */
function useFirstFault(
  box: RefObject<HTMLElement | null>,
  lines: ReturnType<typeof useLines>['lines'],
): void {
  const seen = useRef<string>(undefined)
  const faulty = lines.find(({ line }) => line && line.faults.length > 0)?.line
  // What was scrolled past says nothing of the first.
  const first =
    lines[0]?.at === 0 && faulty ? `${faulty.id} ${faulty.faults.map(({ column }) => column)}` : undefined
  useEffect(() => {
    if (first === undefined || first === seen.current) return
    seen.current = first
    if (box.current?.querySelector('input:focus')) return
    box.current?.querySelector('td[data-fault]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [first, box])
}

type CellProps = { of: CellKey; line: ImportLine | undefined; importId: number; editable: boolean }

/** A cell is typed over where it stands: Enter or leaving saves, Esc gives up. */
function Cell({ of, line, importId, editable }: CellProps) {
  const [typed, setTyped] = useState<string | null>(null)
  if (!line) return <td aria-busy />
  const fault = line.faults.find(({ column }) => column === of)
  const shown = of === 'password' ? (line.hasPassword ? '已填写' : '自动生成') : (line.cells[of] ?? '')
  const name = `第 ${line.line} 行${COLUMNS[of].label}`
  if (typed !== null) {
    const before = of === 'password' ? '' : shown
    const finish = () => {
      setTyped(null)
      if (typed.trim() !== before) void saveCell(importId, line.id, { [of]: typed.trim() })
    }
    return (
      <td>
        <input
          className={styles.input}
          aria-label={name}
          value={typed}
          // The person has just asked to type here.
          ref={input => input?.focus()}
          onChange={({ target }) => setTyped(target.value)}
          onBlur={finish}
          onKeyDown={event => {
            event.stopPropagation()
            if (event.nativeEvent.isComposing) return
            if (event.key === 'Enter') finish()
            if (event.key === 'Escape') setTyped(null)
          }}
        />
      </td>
    )
  }
  const text = (
    <span className={styles.text} data-tip-cut>
      {shown}
    </span>
  )
  return (
    <td data-fault={fault ? true : undefined}>
      {editable && line.state === 'pending' ? (
        <button
          type="button"
          className={styles.cell}
          aria-label={`${name}：${shown || '空'}${fault ? `，${fault.message}` : ''}`}
          data-tip={fault?.message}
          onClick={() => setTyped(of === 'password' ? '' : shown)}
        >
          {text}
        </button>
      ) : (
        text
      )}
    </td>
  )
}

const TONES: Record<RowState, Tone> = {
  pending: 'neutral',
  created: 'done',
  failed: 'problem',
  skipped: 'neutral',
  rolledBack: 'neutral',
  kept: 'attention',
}
const DUPLICATE_WORDS = { first: '表内重复（首行）', file: '表内重复', taken: '账号已有店铺' } as const

function stateOf(line: ImportLine): { tone: Tone; text: string; tip?: string } {
  if (line.state !== 'pending')
    return {
      tone: TONES[line.state],
      text: ROW_STATES[line.state],
      ...(line.problem ? { tip: line.problem } : {}),
    }
  if (line.skip) return { tone: 'neutral', text: '跳过' }
  if (line.faults.length > 0)
    return {
      tone: 'problem',
      text: `${line.faults.length} 处有误`,
      tip: line.faults.map(({ message }) => message).join('；'),
    }
  if (line.duplicate) return { tone: 'attention', text: DUPLICATE_WORDS[line.duplicate] }
  return { tone: 'done', text: '可导入' }
}

type Props = { line: ImportLine; importId: number; editable: boolean }

/** How a line stands, and whether it is left out. */
export function LineState({ line, importId, editable }: Props) {
  const { tone, text, tip } = stateOf(line)
  const leaveOut = async () => {
    try {
      await importApi.editRow({ id: importId, rowId: line.id, skip: !line.skip })
    } catch (error) {
      toast.error(messageOf(error))
    }
    readAgain('shopImport')
  }
  return (
    <span className={styles.state}>
      <StatusTag tone={tone} tip={tip}>
        {text}
      </StatusTag>
      {line.merchantId !== null && line.state !== 'rolledBack' && (
        <Link to="/admin/merchant/merchantDetails" search={{ user_id: line.merchantId }}>
          {line.merchantId}
        </Link>
      )}
      {editable && line.state === 'pending' && (
        <Button
          kind="link"
          changes
          aria-label={`第 ${line.line} 行${line.skip ? '恢复' : '跳过'}`}
          onClick={() => void leaveOut()}
        >
          {line.skip ? '恢复' : '跳过'}
        </Button>
      )}
    </span>
  )
}
