import { type PointerEvent, useRef } from 'react'
import { Button } from '#web/controls/Button.tsx'
import styles from './owner.module.css'

/** Pixels of the picture that is kept. */
const SIZE = { width: 900, height: 360, pen: 6 } as const

type Props = {
  id: string
  isSigned: boolean
  describedBy: string | undefined
  /** PNG in base64 after each stroke; empty once it is wiped. */
  onChange: (png: string) => void
}

/** Where one signs with a finger, a pen or a mouse: black on white in any colours of the page, as it is kept. */
export function SignaturePad({ id, isSigned, describedBy, onChange }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const last = useRef<{ x: number; y: number } | null>(null)
  const pen = () => canvas.current?.getContext('2d') ?? null
  const placeOf = (event: PointerEvent<HTMLCanvasElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    return {
      x: ((event.clientX - box.left) / box.width) * SIZE.width,
      y: ((event.clientY - box.top) / box.height) * SIZE.height,
    }
  }
  const begin = (event: PointerEvent<HTMLCanvasElement>) => {
    if (last.current) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const drawing = pen()
    if (drawing && !isSigned) whiten(drawing)
    last.current = placeOf(event)
    draw(event)
  }
  const draw = (event: PointerEvent<HTMLCanvasElement>) => {
    const drawing = pen()
    if (!last.current || !drawing) return
    const to = placeOf(event)
    drawing.strokeStyle = '#000'
    drawing.lineWidth = SIZE.pen
    drawing.lineCap = 'round'
    drawing.lineJoin = 'round'
    drawing.beginPath()
    drawing.moveTo(last.current.x, last.current.y)
    drawing.lineTo(to.x, to.y)
    drawing.stroke()
    last.current = to
  }
  const end = () => {
    if (!last.current) return
    last.current = null
    onChange(canvas.current?.toDataURL('image/png').replace(/^[^,]*,/, '') ?? '')
  }
  const wipe = () => {
    const drawing = pen()
    if (drawing) whiten(drawing)
    onChange('')
  }
  return (
    <div className={styles.pad}>
      <canvas
        ref={canvas}
        id={id}
        width={SIZE.width}
        height={SIZE.height}
        tabIndex={0}
        role="img"
        aria-label={isSigned ? '已签名' : '签名区，请用手指书写姓名'}
        aria-describedby={describedBy}
        onPointerDown={begin}
        onPointerMove={draw}
        onPointerUp={end}
        onPointerCancel={end}
      />
      <Button kind="link" disabled={isSigned ? null : '还没有签名'} onClick={wipe}>
        重新签名
      </Button>
    </div>
  )
}

function whiten(drawing: CanvasRenderingContext2D): void {
  drawing.fillStyle = '#fff'
  drawing.fillRect(0, 0, SIZE.width, SIZE.height)
}
