import { useState } from 'react'
import { pictureAddress } from '#kit/picture.ts'
import styles from './hardware.module.css'

type Props = { pictureId: string | null; name: string; small?: boolean }

/** A product's picture, or a neutral box where it has none or it does not come. */
export function ProductPicture({ pictureId, name, small }: Props) {
  const [lost, setLost] = useState<string | null>(null)
  const shown = pictureId !== null && pictureId !== lost
  return (
    <span className={styles.productPicture} data-small={small || undefined}>
      {shown ? (
        <img src={pictureAddress(pictureId)} alt={name} loading="lazy" onError={() => setLost(pictureId)} />
      ) : (
        <svg viewBox="0 0 48 48" aria-hidden="true">
          <path d="M24 6 40 14v20L24 42 8 34V14zM8 14l16 8 16-8M24 22v20M16 10l16 8" />
        </svg>
      )}
    </span>
  )
}
