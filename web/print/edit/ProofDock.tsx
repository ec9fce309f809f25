import { useEffect, useRef, useState } from 'react'
import type { Fault } from '#kit/print/faults.ts'
import { isBlack } from '#kit/print/raster.ts'
import type { Bitmap } from '#kit/print/scene.ts'
import { DPI } from '#kit/print/units.ts'
import { Choice } from '../../form/Choice.tsx'
import { Dialog } from '../../form/Dialog.tsx'
import { IconDone, IconWarning } from './EditIcons.tsx'
import styles from './proof.module.css'
import { PROOF_DOTS, type Proof, type ProofDots, type Proved } from './useProof.ts'

type Props = {
  proof: Proof
  onSelect: (id: string) => void
  /** Shows the label with the longest data. */
  onLongest: () => void
}

/** The very dots that are printed, and what was found when they were read back. */
export function ProofDock({ proof, onSelect, onLongest }: Props) {
  const [dots, setDots] = useState<ProofDots>(8)
  const proved = proof?.[dots]
  // What is published is judged at the resolution that most printers have, whichever is looked at.
  const elsewhere = dots === PUBLISHED_AT ? 0 : stopsOf(proof?.[PUBLISHED_AT])
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
        <Outcome proved={proved} at={dots} elsewhere={elsewhere} />
      </header>
      <div className={styles.proofBody}>
        <div className={styles.proofPaper}>{proved && <Paper bitmap={proved.bitmap} dots={dots} />}</div>
        <Faults
          faults={proved?.faults ?? []}
          hidden={proved?.hidden ?? 0}
          elsewhere={elsewhere}
          onUsual={() => setDots(PUBLISHED_AT)}
          {...{ onSelect, onLongest }}
        />
      </div>
    </section>
  )
}

const PUBLISHED_AT = 8

/** What stands in the way of publishing at this resolution, with these data or the longest. */
const stopsOf = (proved: Proved | undefined) =>
  proved ? proved.faults.filter(({ stops }) => stops).length + proved.hidden : 0

type OutcomeProps = { proved: Proved | undefined; at: ProofDots; elsewhere: number }

/** One verdict on the whole: nothing below it says another. */
function Outcome({ proved, at, elsewhere }: OutcomeProps) {
  const words = outcomeOf(proved, elsewhere, at)
  return (
    <p className={styles.outcome} role="status" data-tone={words.tone}>
      {words.tone === 'bad' && <IconWarning />}
      {words.tone === 'good' && <IconDone />}
      {words.text}
    </p>
  )
}

function outcomeOf(proved: Proved | undefined, elsewhere: number, at: ProofDots) {
  if (!proved || proved.read === null) return { tone: 'quiet', text: '正在检查…' }
  const stopping = stopsOf(proved)
  if (stopping > 0) return { tone: 'bad', text: `${stopping} 个问题` }
  if (elsewhere > 0)
    return { tone: 'bad', text: `${DPI[at]} dpi 可用，${DPI[PUBLISHED_AT]} dpi 有 ${elsewhere} 个问题` }
  const { codes, qrCodes, faults } = proved
  const counted = [
    ...(codes > qrCodes ? [`${codes - qrCodes} 个条码`] : []),
    ...(qrCodes > 0 ? [`${qrCodes} 个二维码`] : []),
  ]
  const said = codes > 0 ? `${counted.join('、')}均可扫描` : faults.length > 0 ? '可以发布' : '没有发现问题'
  return { tone: 'good', text: faults.length > 0 ? `${said}，${faults.length} 处请留意` : said }
}

type FaultsProps = Omit<Props, 'proof'> & {
  faults: readonly Fault[]
  hidden: number
  elsewhere: number
  onUsual: () => void
}

function Faults({ faults, hidden, elsewhere, onSelect, onLongest, onUsual }: FaultsProps) {
  if (faults.length === 0 && hidden === 0 && elsewhere === 0) return null
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
      {hidden > 0 && (
        <li data-stops>
          <button type="button" onClick={onLongest}>
            数据最长时还有 {hidden} 个问题
          </button>
          <span>发布前会一并检查，点这里用最长的示例数据查看</span>
        </li>
      )}
      {elsewhere > 0 && (
        <li data-stops>
          <button type="button" onClick={onUsual}>
            {DPI[PUBLISHED_AT]} dpi 时有 {elsewhere} 个问题
          </button>
          <span>发布按 {DPI[PUBLISHED_AT]} dpi 检查，点这里查看</span>
        </li>
      )}
    </ul>
  )
}

type PaperProps = { bitmap: Bitmap; dots: ProofDots }

/** Pixels that the dock has for a paper. */
const MOST = { width: 320, height: 150 }

/** As large as the dock has room; each dot is seen on request. */
function Paper({ bitmap, dots }: PaperProps) {
  const [large, setLarge] = useState(false)
  const share = Math.min(MOST.width / bitmap.width, MOST.height / bitmap.height, 1)
  return (
    <>
      <button type="button" aria-label="放大打印效果" onClick={() => setLarge(true)}>
        <Dots {...{ bitmap, dots }} width={bitmap.width * share} />
      </button>
      {large && (
        <Dialog title={`打印效果 ${DPI[dots]} dpi`} width={1_000} onClose={() => setLarge(false)}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
          <section className={styles.proofLarge} tabIndex={0} aria-label="一个点一个像素">
            <Dots {...{ bitmap, dots }} width={bitmap.width} />
          </section>
        </Dialog>
      )}
    </>
  )
}

/** One dot of the printer is one of the picture. A picture and no canvas, which would be handed on with every frame. */
function Dots({ bitmap, dots, width }: PaperProps & { width: number }) {
  const src = useDots(bitmap)
  return (
    <img
      className={styles.dots}
      alt={`${DPI[dots]} dpi 打印效果，${bitmap.width} × ${bitmap.height} 点`}
      {...(src && { src })}
      style={{ width, aspectRatio: `${bitmap.width} / ${bitmap.height}` }}
    />
  )
}

/** The address of a bitmap as a picture; until the next one is made, that of the one before. */
function useDots(bitmap: Bitmap): string | null {
  const [src, setSrc] = useState<string | null>(null)
  const shown = useRef<string | null>(null)
  useEffect(() => {
    let isOver = false
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: bitmap.width, height: bitmap.height })
    const context = canvas.getContext('2d')
    if (!context) return
    const picture = context.createImageData(bitmap.width, bitmap.height)
    picture.data.fill(255)
    for (let at = 0, y = 0; y < bitmap.height; y++)
      for (let x = 0; x < bitmap.width; x++, at += 4)
        if (isBlack(bitmap, x, y)) picture.data.fill(0, at, at + 3)
    context.putImageData(picture, 0, 0)
    canvas.toBlob(blob => {
      if (isOver || !blob) return
      if (shown.current) URL.revokeObjectURL(shown.current)
      shown.current = URL.createObjectURL(blob)
      setSrc(shown.current)
    })
    return () => {
      isOver = true
    }
  }, [bitmap])
  useEffect(
    () => () => {
      if (shown.current) URL.revokeObjectURL(shown.current)
    },
    [],
  )
  return src
}
