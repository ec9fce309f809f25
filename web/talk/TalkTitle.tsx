import { look } from '../controls/look.ts'
import styles from './TalkTitle.module.css'

/** The title of a conversation in a list, in which what was not read stands out. */
export function TalkTitle({ title, unread }: { title: string; unread: boolean }) {
  return (
    <span className={styles.title} data-unread={unread || undefined}>
      {unread && <span className={look.visuallyHidden}>未读：</span>}
      {title}
    </span>
  )
}
