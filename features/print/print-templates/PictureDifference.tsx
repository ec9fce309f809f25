import { type ReactNode, useState } from 'react'
import { Choice } from '#web/form/Choice.tsx'
import styles from './print-templates.module.css'
import type { Picture } from './templatesApi.tsx'

type Side = { title: string; content: unknown }
type Props = {
  picture: Picture
  old: Side
  now: Side
  /** Chooses what is compared. */
  beside: ReactNode
  /** How they are seen at first. */
  first?: Look
}

const LOOKS = { overlay: '叠加', both: '并排' } as const
type Look = keyof typeof LOOKS

/**
 * Two contents over each other: what only the old one has in red, only the new one in blue, both in black; or side by side.
 * Pictures are drawn black on white.
 */
export function PictureDifference({ picture, old, now, beside, first = 'overlay' }: Props) {
  const [look, setLook] = useState<Look>(first)
  const isSame = JSON.stringify(old.content) === JSON.stringify(now.content)
  return (
    <section className={styles.difference} aria-label={`${old.title}与${now.title}的对照`}>
      <div className={styles.tools}>
        <Choice
          label="对照方式"
          options={(Object.keys(LOOKS) as Look[]).map(value => ({ value, label: LOOKS[value] }))}
          value={look}
          onChange={setLook}
        />
        {beside}
      </div>
      {look === 'overlay' ? (
        <>
          <div className={styles.paper}>
            <div className={styles.layers}>
              <div data-side="old">{picture(old.content)}</div>
              <div data-side="now" aria-hidden="true">
                {picture(now.content)}
              </div>
            </div>
          </div>
          <p className={styles.key}>
            {isSame ? (
              `${old.title}与${now.title}相同`
            ) : (
              <>
                <span data-side="old">红：只在{old.title}</span>
                <span data-side="now">蓝：只在{now.title}</span>
                <span>黑：两者都有</span>
              </>
            )}
          </p>
        </>
      ) : (
        <div className={styles.both}>
          {[old, now].map(({ title, content }) => (
            <figure key={title}>
              <figcaption>{title}</figcaption>
              <div className={styles.paper}>{picture(content)}</div>
            </figure>
          ))}
        </div>
      )}
    </section>
  )
}
