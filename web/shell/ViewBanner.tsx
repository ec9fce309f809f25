import { useEffect } from 'react'
import { formatInstant } from '#kit/time.ts'
import { useSession } from '../client/session.ts'
import { Button } from '../controls/Button.tsx'
import styles from './ViewBanner.module.css'
import { startAnew } from './view-changes.ts'

/** Says on every page that one looks through somebody else's account, until when, and leads out of it. */
export function ViewBanner({ until, onEnd }: { until: string; onEnd: () => void }) {
  const { name, companyName } = useSession()
  useEffect(() => {
    const timer = setTimeout(startAnew, Math.max(0, Date.parse(until) - Date.now()) + 1_000)
    return () => clearTimeout(timer)
  }, [until])
  return (
    <aside className={styles.viewBanner} aria-label="以他人身份查看">
      <span>
        正在以「{companyName} {name}」的身份查看，只读，至 {formatInstant(until).slice(11, 16)}
      </span>
      <Button kind="link" onClick={onEnd}>
        结束查看
      </Button>
    </aside>
  )
}
