import { useState } from 'react'
import { pictureAddress } from '#kit/picture.ts'
import styles from './team.module.css'

/** A person's picture, or the last character of the name where there is none or it does not come. */
export function Portrait({ portraitId, name }: { portraitId: string | null; name: string }) {
  const [lost, setLost] = useState<string | null>(null)
  return (
    <span className={styles.portrait} aria-hidden="true">
      {portraitId !== null && portraitId !== lost ? (
        <img src={pictureAddress(portraitId)} alt="" loading="lazy" onError={() => setLost(portraitId)} />
      ) : (
        [...name].at(-1)
      )}
    </span>
  )
}
