import { useMemo, useState } from 'react'
import { formatCents } from '#kit/money.ts'
import { PAPER_KEYS, type Paper, paperCost, type ReceiptContent, sheetOf } from '#kit/print/receipt.ts'
import { unprintedOn } from '#kit/print/receipt-lines.ts'
import { sampleOf } from '#kit/print/receipt-samples.ts'
import { lengthMm } from '#kit/print/receipt-scene.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { Choice } from '#web/form/Choice.tsx'
import { LoadingLines } from '#web/form/LoadStates.tsx'
import { Preview } from '#web/print/Preview.tsx'
import styles from './receipts.module.css'
import { type Laid, useReceiptPages } from './useReceiptPages.tsx'
import { type Sample, useTestPrint } from './useTestPrint.tsx'

type Props = { content: ReceiptContent; sample: Sample; name: string }

const PX_PER_MM = 3

/** The receipt on all papers beside each other, how long it gets and what its paper costs; one of them is printed to try. */
export function PaperStrip({ content, sample, name }: Props) {
  const { type, length, isReprint } = sample
  const data = useMemo(() => ({ ...sampleOf(type, length), isReprint }), [type, length, isReprint])
  const laid = useReceiptPages(content, data, PAPER_KEYS)
  const [paper, setPaper] = useState<Paper>(80)
  const test = useTestPrint(name)
  const chosen = laid?.find(one => one.paper === paper)
  const isEmpty = content[sheetOf(paper)].length === 0
  return (
    <section className={styles.strip} aria-label="各种纸宽">
      <div className={styles.tools}>
        <Choice
          label="测试打印的纸宽"
          options={PAPER_KEYS.map(value => ({ value, label: value === 210 ? 'A4' : String(value) }))}
          value={paper}
          onChange={setPaper}
        />
        <Button
          disabled={isEmpty ? '暂无小票样式' : !chosen}
          onClick={() => chosen && void test.print({ ...chosen, content, sample })}
        >
          测试打印
        </Button>
      </div>
      {laid ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
        <section className={styles.papers} tabIndex={0} aria-label="小票预览">
          {laid.map(one => (
            <PaperFigure
              key={one.paper}
              laid={one}
              isChosen={one.paper === paper}
              isEmpty={content[sheetOf(one.paper)].length === 0}
              unprinted={unprintedOn(content, one.paper).map(({ name }) => name)}
            />
          ))}
        </section>
      ) : (
        <LoadingLines lines={12} />
      )}
      {test.dialog}
    </section>
  )
}

type FigureProps = { laid: Laid; isChosen: boolean; isEmpty: boolean; unprinted: readonly string[] }

function PaperFigure({ laid, isChosen, isEmpty, unprinted }: FigureProps) {
  const { paper, pages, glyphs } = laid
  return (
    <figure
      ref={isChosen ? bringIntoSight : undefined}
      className={styles.figure}
      style={{ width: paper * PX_PER_MM }}
    >
      <figcaption>
        <b>{paper === 210 ? '210mm（A4）' : `${paper}mm`}</b>
        <span className={look.quiet}>{isEmpty ? '暂无小票样式' : measureWords(laid)}</span>
        {unprinted.length > 0 && (
          <strong className={styles.unprinted}>{unprinted.join('、')}不在此纸上打印，请移除</strong>
        )}
      </figcaption>
      {!isEmpty &&
        pages.map(({ scene }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: sheets have no name but their place.
          <div key={at} className={styles.paper}>
            <Preview scene={scene} glyphs={glyphs} label={`${paper}mm 小票预览`} />
          </div>
        ))}
    </figure>
  )
}

/** Sideways within its box: the page itself stays where it is. */
function bringIntoSight(figure: HTMLElement | null): void {
  const box = figure?.parentElement
  if (!figure || !box) return
  const [shown, whole] = [figure.getBoundingClientRect(), box.getBoundingClientRect()]
  if (shown.left < whole.left || shown.right > whole.right)
    box.scrollLeft += shown.left + shown.width / 2 - whole.left - whole.width / 2
}

/** 长 96.5 毫米，每百张纸约 0.39 元. */
function measureWords({ paper, pages }: Laid): string {
  const mm = lengthMm(pages)
  // Hundredths of a fen for one are fen for a hundred.
  const hundred = formatCents(paperCost(paper, mm))
  const size = paper === 210 ? `${pages.length} 张` : `长 ${mm.toFixed(1)} 毫米`
  return `${size}，每百张纸约 ${hundred} 元`
}
