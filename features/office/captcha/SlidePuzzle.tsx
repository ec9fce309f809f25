import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import type { In, Out } from '#kit/declare/op.ts'
import styles from './captcha.module.css'
import type { captcha } from './contract.ts'
import { KEY_STEPS, TRAIL_POINTS_MAX } from './rules.ts'

export type Slide = Extract<Out<typeof captcha.challenge>, { kind: 'slide' }>
export type Answer = Omit<In<typeof captcha.solve>, 'id'>
type Trail = [x: number, y: number, atMs: number][]
type Move = { by: Answer['by']; startedAt: number; fromX: number; fromY: number; trail: Trail }

type Props = { puzzle: Slide; busy: boolean; onAnswer: (answer: Answer) => void }

/** The picture with its hole, and the slider that brings the piece there: by pointer, finger or arrow keys. */
export function SlidePuzzle({ puzzle, busy, onAnswer }: Props) {
  const slide = useSlide(puzzle, busy, onAnswer)
  const handle = useRef<HTMLDivElement>(null)
  // The dialog opened before its picture came, and gave the focus to its close button.
  useEffect(() => handle.current?.focus({ preventScroll: true }), [])
  const share = (pixels: number, of: number) => `${(pixels / of) * 100}%`
  return (
    <div className={styles.puzzle} data-busy={busy || undefined}>
      <div className={styles.puzzlePicture}>
        <img
          src={puzzle.background}
          alt="有缺口的图片"
          width={puzzle.width}
          height={puzzle.height}
          draggable={false}
        />
        <img
          className={styles.puzzlePiece}
          src={puzzle.piece}
          alt=""
          draggable={false}
          style={{
            left: share(slide.x, puzzle.width),
            top: share(puzzle.y, puzzle.height),
            width: share(puzzle.pieceSize, puzzle.width),
          }}
        />
      </div>
      <div ref={slide.rail} data-part="rail" className={styles.puzzleRail}>
        <span className={styles.puzzleHint} aria-hidden="true">
          {slide.x === 0 ? '按住滑块，拖动完成拼图' : ''}
        </span>
        <div
          ref={handle}
          className={styles.puzzleHandle}
          role="slider"
          tabIndex={0}
          aria-label="拼图滑块"
          aria-describedby="puzzle-keys"
          aria-valuemin={0}
          aria-valuemax={slide.most}
          aria-valuenow={Math.round(slide.x)}
          aria-disabled={busy || undefined}
          style={{ left: `calc((100% - var(--puzzle-handle)) * ${slide.x / slide.most})` }}
          onPointerDown={slide.press}
          onPointerMove={slide.drag}
          onPointerUp={slide.release}
          onPointerCancel={slide.reset}
          onKeyDown={slide.key}
        >
          <svg viewBox="0 0 16 16" width={16} height={16} aria-hidden="true">
            <path d="m4 4 4 4-4 4m5-8 4 4-4 4" fill="none" stroke="currentColor" strokeWidth={1.4} />
          </svg>
        </div>
      </div>
      <p id="puzzle-keys" className={styles.puzzleKeys}>
        也可以用方向键移动，按住 Shift 移得更快，回车确认
      </p>
    </div>
  )
}

/** Where the piece is, and how it came there. */
function useSlide(puzzle: Slide, busy: boolean, onAnswer: (answer: Answer) => void) {
  const rail = useRef<HTMLDivElement>(null)
  const move = useRef<Move | null>(null)
  const [x, setX] = useState(0)
  const most = puzzle.width - puzzle.pieceSize
  const goTo = (wanted: number, height: number) => {
    const next = Math.min(Math.max(wanted, 0), most)
    const { trail, startedAt } = move.current as Move
    // A long hesitation: every second report is enough.
    if (trail.length >= TRAIL_POINTS_MAX)
      trail.splice(0, trail.length, ...trail.filter((_, i) => i % 2 === 0))
    trail.push([next, height, performance.now() - startedAt])
    setX(next)
  }
  const begin = (by: Move['by'], fromX: number, fromY: number) => {
    move.current = { by, startedAt: performance.now(), fromX, fromY, trail: [[0, 0, 0]] }
    setX(0)
  }
  const answer = () => {
    if (!move.current) return
    const { by, startedAt, trail } = move.current
    move.current = null
    onAnswer({ by, x: trail.at(-1)?.[0] ?? 0, durationMs: performance.now() - startedAt, trail })
  }
  return {
    rail,
    x,
    most,
    press(event: PointerEvent<HTMLDivElement>) {
      if (busy || event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      begin('pointer', event.clientX, event.clientY)
    },
    drag(event: PointerEvent<HTMLDivElement>) {
      if (move.current?.by !== 'pointer') return
      const { fromX, fromY } = move.current
      const travel = (rail.current?.clientWidth ?? 0) - event.currentTarget.offsetWidth
      const scale = most / Math.max(travel, 1)
      const height = Math.min(Math.max((event.clientY - fromY) * scale, -puzzle.width), puzzle.width)
      goTo((event.clientX - fromX) * scale, height)
    },
    release() {
      if (move.current?.by === 'pointer') answer()
    },
    reset() {
      move.current = null
      setX(0)
    },
    key(event: KeyboardEvent<HTMLDivElement>) {
      if (busy) return
      const step = stepOf(event)
      if (step !== null) {
        event.preventDefault()
        if (move.current?.by !== 'keys') begin('keys', 0, 0)
        goTo((move.current?.trail.at(-1)?.[0] ?? 0) + step, 0)
      } else if ((event.key === 'Enter' || event.key === ' ') && move.current?.by === 'keys') {
        event.preventDefault()
        answer()
      }
    },
  }
}

function stepOf({ key, shiftKey }: KeyboardEvent): number | null {
  const size = shiftKey ? KEY_STEPS.large : KEY_STEPS.small
  if (key === 'ArrowRight' || key === 'ArrowUp') return size
  if (key === 'ArrowLeft' || key === 'ArrowDown') return -size
  if (key === 'PageUp') return KEY_STEPS.large
  return key === 'PageDown' ? -KEY_STEPS.large : null
}
