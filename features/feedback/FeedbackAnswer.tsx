import { formatInstant } from '#kit/time.ts'
import './feedback.css'

/** What the vendor answered. */
export function FeedbackAnswer({ answer, by, at }: { answer: string; by: string; at: string | null }) {
  return (
    <div className="feedback-answer">
      <p className="feedback-text">{answer}</p>
      <p className="feedback-by">
        <span>{by} 回复</span>
        <time className="number">{at && formatInstant(at)}</time>
      </p>
    </div>
  )
}
