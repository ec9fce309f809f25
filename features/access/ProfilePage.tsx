import { discountText } from '#web/format.tsx'
import { look } from '#web/look.ts'
import { useSession } from '#web/session.ts'
import styles from './access.module.css'

/** One's own data. */
export default function ProfilePage() {
  const session = useSession()
  const facts: [label: string, text: string][] = [
    ['公司', session.companyName],
    ['姓名', session.name],
    ['账号', session.loginName],
    ['账号类型', session.userType === 0 ? '主账号' : '子账号'],
    ['手机', session.phoneLastFour === '' ? '—' : `*******${session.phoneLastFour}`],
    ['等级', session.levelName],
    ['折扣', discountText(session.discountBasisPoints)],
  ]
  return (
    <div className={`${look.page} ${styles.profile}`}>
      <h1 className={look.pageTitle}>个人资料</h1>
      <dl className={styles.facts}>
        {facts.map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
