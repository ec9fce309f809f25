import type { KeyboardEvent } from 'react'
import { cellBox, gridOf, SHEET_LIMITS, type SheetGrid, type SheetSetup } from '#kit/print/batch/sheet.ts'
import type { Label } from '#kit/print/label.ts'
import type { Um } from '#kit/print/units.ts'
import { look } from '#web/controls/look.ts'
import { Check } from '#web/form/Check.tsx'
import { Choice } from '#web/form/Choice.tsx'
import { LengthEntry } from '#web/print/edit/Entry.tsx'
import styles from './batch.module.css'

type Props = {
  label: Label
  setup: SheetSetup
  start: number
  labels: number
  onChange: (changed: { setup?: SheetSetup; start?: number }) => void
}

const LENGTHS = [
  ['marginX', '左右边距', SHEET_LIMITS.margin],
  ['marginY', '上下边距', SHEET_LIMITS.margin],
  ['gapX', '横向间隔', SHEET_LIMITS.gap],
  ['gapY', '纵向间隔', SHEET_LIMITS.gap],
] as const

/** How labels lie on A4, and where on a sheet that is half used they begin. */
export function SheetPart({ label, setup, start, labels, onChange }: Props) {
  const grid = gridOf(label, setup)
  const put = (changed: Partial<SheetSetup>) => {
    const next = { ...setup, ...changed }
    const { cells } = gridOf(label, next)
    onChange({ setup: next, ...(start >= cells ? { start: 0 } : {}) })
  }
  return (
    <div className={styles.sheet}>
      <div className={styles.sheetSetup}>
        <Choice
          label="纸张方向"
          value={setup.landscape}
          onChange={landscape => put({ landscape })}
          options={[
            { value: false, label: 'A4 纵向' },
            { value: true, label: 'A4 横向' },
          ]}
        />
        <div className={styles.lengths}>
          {LENGTHS.map(([key, words, most]) => (
            <LengthEntry
              key={key}
              label={words}
              value={setup[key]}
              limits={{ least: 0, most }}
              onChange={um => put({ [key]: um })}
            />
          ))}
        </div>
        <Check checked={setup.cutMarks} onChange={cutMarks => put({ cutMarks })} note="边距至少 2 毫米时画出">
          裁切线
        </Check>
        <p role="status">
          {grid.cells === 0
            ? 'A4 纸上放不下一张标签，请减小边距，或换横向'
            : `每张 ${grid.across} 列 × ${grid.down} 行，共 ${grid.cells} 格；从第 ${start + 1} 格开始`}
        </p>
        {grid.cells > 0 && (
          <p className={look.quiet}>纸已用掉一部分时，在图上点选第一个空格。方向键可以移动。</p>
        )}
      </div>
      {grid.cells > 0 && (
        <SheetPicture grid={grid} start={start} labels={labels} onStart={at => onChange({ start: at })} />
      )}
    </div>
  )
}

type PictureProps = { grid: SheetGrid; start: number; labels: number; onStart: (cell: number) => void }

/** The first sheet: what is used already, what is printed, what stays free. One stop of Tab; arrows go from cell to cell. */
function SheetPicture({ grid, start, labels, onStart }: PictureProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const steps: Record<string, number> = {
      ...{ ArrowRight: 1, ArrowLeft: -1, ArrowDown: grid.across, ArrowUp: -grid.across },
      ...{ Home: -start, End: grid.cells - 1 - start },
    }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = start + step
    if (next < 0 || next >= grid.cells) return
    onStart(next)
    event.currentTarget.querySelector<HTMLElement>(`[data-cell="${next}"]`)?.focus()
  }
  const share = (um: Um, whole: Um) => `${(um / whole) * 100}%`
  return (
    <div
      role="radiogroup"
      aria-label="第一张纸从哪一格开始"
      className={styles.paper}
      style={{ aspectRatio: `${grid.width} / ${grid.height}` }}
      onKeyDown={onKeyDown}
    >
      {Array.from({ length: grid.cells }, (_, cell) => {
        const box = cellBox(grid, cell)
        const isTaken = cell >= start && cell < start + labels
        return (
          // biome-ignore lint/a11y/useSemanticElements: a picture of cells; each is laid where it lies on paper
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
            key={cell}
            type="button"
            role="radio"
            aria-checked={cell === start}
            aria-label={`第 ${cell + 1} 格`}
            tabIndex={cell === start ? 0 : -1}
            data-cell={cell}
            data-state={cell < start ? 'used' : isTaken ? 'taken' : 'free'}
            className={styles.place}
            style={{
              left: share(box.left, grid.width),
              top: share(box.top, grid.height),
              width: share(box.width, grid.width),
              height: share(box.height, grid.height),
            }}
            onClick={() => onStart(cell)}
          >
            {grid.cells <= 60 && cell + 1}
          </button>
        )
      })}
    </div>
  )
}
