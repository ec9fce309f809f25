import { useEffect } from 'react'
import { api } from '#web/client/api.ts'
import type { Session } from '#web/client/session.ts'
import { forgetSignedIn } from '#web/client/welcome.ts'
import { Button } from '#web/controls/Button.tsx'
import { Brand } from '#web/shell/Brand.tsx'
import type { signIn } from './contract.ts'
import styles from './first-password.module.css'
import { PasswordForm } from './PasswordForm.tsx'
import { knownWords } from './rules.ts'

const signInApi = api<typeof signIn>('signIn')

/** All that somebody is shown whose password another has made, until it is changed. */
export default function FirstPassword({ session }: { session: Session }) {
  useEffect(() => {
    document.title = '修改密码 · 合作伙伴后台'
  }, [])
  const leave = async () => {
    forgetSignedIn()
    await signInApi.logout()
    location.replace('/login')
  }
  return (
    <main className={styles.first}>
      <div>
        <h1>
          <Brand size={32} />
          先修改密码
        </h1>
        <p>
          {session.name}，您的密码是由他人设置的。为了账号安全，请换成只有您自己知道的密码，然后继续使用。
        </p>
        <PasswordForm
          loginName={session.loginName}
          words={knownWords(session)}
          onDone={() => location.reload()}
        />
        <Button kind="link" onClick={() => void leave()}>
          退出登录
        </Button>
      </div>
    </main>
  )
}
