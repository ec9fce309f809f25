import { useNavigate } from '#web/client/navigation.ts'
import { useSession } from '#web/client/session.ts'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { PasswordForm } from './PasswordForm.tsx'
import styles from './password.module.css'
import { knownWords } from './rules.ts'

/** Another password for oneself. */
export default function ChangePasswordPage() {
  const session = useSession()
  const navigate = useNavigate()
  return (
    <div className={look.page}>
      <h1 className={look.pageTitle}>修改密码</h1>
      <p className={styles.note}>修改后，除本设备外，其他已登录的设备都需要用新密码重新登录。</p>
      <PasswordForm
        loginName={session.loginName}
        words={knownWords(session)}
        onDone={() => {
          toast.success('密码已修改')
          return navigate({ to: '/admin/account/security' })
        }}
      />
    </div>
  )
}
