import { useSession } from '#web/client/session.ts'
import { Instant } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import styles from './factors.module.css'

/** By when a second factor must be set up, for whom one is required. */
export function FactorBanner() {
  const { dueAt } = useSession().factor
  if (dueAt === null) return null
  return (
    <div className={styles.banner} role="status">
      <span>
        您的账号须设置二次验证，
        <Instant at={new Date(dueAt).toISOString()} /> 之后未设置将不能使用其他功能
      </span>
      <Link to="/admin/account/security">现在设置</Link>
    </div>
  )
}
