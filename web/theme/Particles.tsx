import { useEffect, useRef } from 'react'
import styles from './Particles.module.css'

/** Neither on phones nor where a person wants calm (D3 §9). */
const WANTED = '(min-width: 641px) and (hover: hover) and (prefers-reduced-motion: no-preference)'

/** The moving background of pages without an account; its code comes once the page has nothing else to do. */
export function Particles() {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const media = matchMedia(WANTED)
    let stop: (() => void) | undefined
    let left = false
    const start = async () => {
      const { drawParticles } = await import('./draw.ts')
      if (!left && canvas.current) stop = drawParticles(canvas.current)
    }
    // Decoration: where its code does not come, nothing is missing.
    const soon = () => void start().catch(() => undefined)
    const idle = () => ('requestIdleCallback' in window ? requestIdleCallback(soon) : setTimeout(soon, 500))
    const begin = () => {
      if (!media.matches) return
      if (document.readyState === 'complete') idle()
      else addEventListener('load', idle, { once: true })
    }
    begin()
    return () => {
      left = true
      removeEventListener('load', idle)
      stop?.()
    }
  }, [])
  return (
    <div className={styles.particles} aria-hidden="true">
      <canvas ref={canvas} />
    </div>
  )
}
