import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { OwnAffairs } from '#web/shell/OwnAffairs.tsx'
import { FactorsSection } from './FactorsSection.tsx'
import styles from './factors.module.css'

/** All that a session shows whose account must have a factor and has none. */
export default function Enrolment({ onSignOut }: { onSignOut: () => void }) {
  return (
    <OwnAffairs>
      <main className={styles.enrol}>
        <header>
          <h1 className={look.pageTitle}>请先设置二次验证</h1>
          <Button onClick={onSignOut}>退出登录</Button>
        </header>
        <p className={look.quiet}>管理员要求您的账号使用二次验证，设置任意一种后即可继续</p>
        <FactorsSection onSet={() => location.reload()} />
      </main>
    </OwnAffairs>
  )
}
