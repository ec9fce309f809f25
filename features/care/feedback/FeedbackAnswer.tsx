import { formatInstant } from '#kit/time.ts'
import { look } from '#web/controls/look.ts'
import styles from './feedback.module.css'

/** What the vendor answered. */
export function FeedbackAnswer({ answer, by, at }: { answer: string; by: string; at: string | null }) {
  return (
    <div className={styles.feedbackAnswer}>
      <p className={styles.feedbackText}>{answer}</p>
      <p className={styles.feedbackBy}>
        <span>{by} 回复</span>
        <time className={look.number}>{at && formatInstant(at)}</time>
      </p>
    </div>
  )
}
