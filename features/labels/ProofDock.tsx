import { useEffect, useRef, useState } from 'react'
import type { Fault } from '#kit/print/faults.ts'
import { type Bitmap, bytesAcross } from '#kit/print/scene.ts'
import { DPI } from '#kit/print/units.ts'
import { Choice } from '#web/form/Choice.tsx'
import styles from './designer.module.css'
import { IconDone, IconWarning } from './EditIcons.tsx'
import { PROOF_DOTS, type Proof, type ProofDots } from './useProof.tsx'

type Props = { proof: Proof; onSelect: (id: string) => void }

/** The very dots that are printed, and what was found when they were read back. */
export function ProofDock({ proof, onSelect }: Props) {
  const [dots, setDots] = useState<ProofDots>(8)
  const proved = proof?.[dots]
  return (
    <section className={styles.proof} aria-label="打印效果">
      <header>
        <h2>打印效果</h2>
        <Choice
          label="打印机精度"
          value={dots}
          options={PROOF_DOTS.map(value => ({ value, label: `${DPI[value]} dpi` }))}
          onChange={setDots}
        />
        <Outcome proved={proved} />
      </header>
      <div className={styles.proofBody}>
        <div className={styles.proofPaper}>{proved && <Dots bitmap={proved.bitmap} dots={dots} />}</div>
        <Faults faults={proved?.faults ?? []} onSelect={onSelect} />
      </div>
    </section>
  )
}

function Outcome({ proved }: { proved: NonNullable<Proof>[ProofDots] | undefined }) {
  const words = outcomeOf(proved)
  return (
    <p className={styles.outcome} role="status" data-tone={words.tone}>
      {words.tone === 'bad' && <IconWarning />}
      {words.tone === 'good' && <IconDone />}
      {words.text}
    </p>
  )
}

function outcomeOf(proved: NonNullable<Proof>[ProofDots] | undefined) {
  if (!proved || proved.read === null) return { tone: 'quiet', text: '正在检查…' }
  const stopping = proved.faults.filter(({ stops }) => stops).length
  if (stopping > 0) return { tone: 'bad', text: `${stopping} 个问题` }
  if (proved.codes === 0) return { tone: 'good', text: '没有发现问题' }
  return { tone: 'good', text: `${proved.codes} 个条码均可扫描` }
}

function Faults({ faults, onSelect }: { faults: readonly Fault[]; onSelect: (id: string) => void }) {
  if (faults.length === 0) return null
  return (
    <ul className={styles.faults} aria-label="发现的问题">
      {faults.map(fault => (
        <li key={`${fault.item} ${fault.kind} ${fault.words}`} data-stops={fault.stops || undefined}>
          {fault.item === null ? (
            <strong>{fault.words}</strong>
          ) : (
            <button type="button" onClick={() => onSelect(fault.item ?? '')}>
              {fault.words}
            </button>
          )}
          <span>{fault.help}</span>
        </li>
      ))}
    </ul>
  )
}

/** One dot of the printer is one of the picture. */
function Dots({ bitmap, dots }: { bitmap: Bitmap; dots: ProofDots }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context) return
    const { width, height, rows } = bitmap
    const picture = context.createImageData(width, height)
    const across = bytesAcross(width)
    for (let at = 0, y = 0; y < height; y++)
      for (let x = 0; x < width; x++, at += 4) {
        const dark = ((rows[y * across + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1
        picture.data.fill(dark ? 0 : 255, at, at + 3)
        picture.data[at + 3] = 255
      }
    context.putImageData(picture, 0, 0)
  }, [bitmap])
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={`${DPI[dots]} dpi 打印效果，${bitmap.width} × ${bitmap.height} 点`}
      width={bitmap.width}
      height={bitmap.height}
      // As large as on paper, and twice that.
      style={{ width: (bitmap.width / dots) * 4.2 }}
    />
  )
}
