import { pictureAddress } from '#kit/picture.ts'
import styles from './feedback.module.css'

/** The picture of a feedback, whole in a window of its own. */
export function FeedbackPicture({ id }: { id: string | null }) {
  if (id === null) return null
  return (
    <a className={styles.feedbackPicture} href={pictureAddress(id)} target="_blank" rel="noreferrer">
      <img src={pictureAddress(id)} alt="反馈图片" loading="lazy" />
    </a>
  )
}
