import { type Ref, useEffect, useRef } from 'react'
import styles from './Particles.module.css'

/** Neither on phones nor where a person wants calm (D3 §9). */
const WANTED = '(min-width: 641px) and (hover: hover) and (prefers-reduced-motion: no-preference)'

/** The moving background of pages without an account; its code comes once the page has nothing else to do. */
export function Particles() {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => (canvas.current ? moveParticles(canvas.current) : undefined), [])
  return <ParticleField canvas={canvas} />
}

/** Where they move. */
export function ParticleField({ canvas }: { canvas: Ref<HTMLCanvasElement> }) {
  return (
    <div className={styles.particles} aria-hidden="true">
      <canvas ref={canvas} />
    </div>
  )
}

/** Until what it answers is called. */
export function moveParticles(canvas: HTMLCanvasElement): () => void {
  const media = matchMedia(WANTED)
  let stop: (() => void) | undefined
  let left = false
  const start = async () => {
    const { drawParticles } = await import('./draw.ts')
    if (!left) stop = drawParticles(canvas)
  }
  // Decoration: where its code does not come, nothing is missing.
  const soon = () => void start().catch(() => undefined)
  const idle = () => ('requestIdleCallback' in window ? requestIdleCallback(soon) : setTimeout(soon, 500))
  if (media.matches) {
    if (document.readyState === 'complete') idle()
    else addEventListener('load', idle, { once: true })
  }
  return () => {
    left = true
    removeEventListener('load', idle)
    stop?.()
  }
}
