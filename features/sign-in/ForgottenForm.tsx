import { lazy, Suspense, useState } from 'react'
import { useCountdown } from '#features/captcha/useCountdown.tsx'
import { api, messageOf, type RefusalOf } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { Field } from '#web/form/Field.tsx'
import { TextField, TextInput } from '#web/form/TextField.tsx'
import { type Form, useForm } from '#web/form/useForm.ts'
import type { signIn } from './contract.ts'
import styles from './forgotten.module.css'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { type PasswordReset, RESET_MESSAGES, RESET_REFUSALS, refuseReset } from './rules.ts'

const signInApi = api<typeof signIn>('signIn')
const CaptchaDialog = lazy(() => import('#features/captcha/CaptchaDialog.tsx'))
const NAME_MAX = 64
const CODE_DIGITS = 6

type Props = { loginName: string; helpLine: string | null; onBack: () => void; onDone: () => void }

/** A new password with a code to the account's phone, in place of the login form. */
export default function ForgottenForm({ loginName, helpLine, onBack, onDone }: Props) {
  const form = useForm<PasswordReset>({
    initial: { loginName, code: '', newPassword: '', confirmation: '' },
    judge: draft => {
      const broken = refuseReset(draft)
      return broken && { field: broken.field, message: RESET_MESSAGES[broken.code] }
    },
    send: draft => signInApi.resetPassword(draft),
    onDone,
  })
  return (
    <form
      className={styles.forgotten}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        void form.submit()
      }}
    >
      <h1>找回密码</h1>
      <p>验证码发送到账号登记的手机号。短信可能被他人截获，登录后建议设置二次验证，重设密码不会绕过它。</p>
      <TextField
        form={form}
        name="loginName"
        label="账号"
        required
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={NAME_MAX}
      />
      <Code form={form} />
      <NewPasswordFields form={form} words={[form.draft.loginName]} />
      <p className={styles.message} role="alert">
        {form.message}
      </p>
      <Button kind="primary" type="submit" busy={form.busy}>
        重设密码
      </Button>
      <Button kind="quiet" onClick={onBack}>
        返回登录
      </Button>
      <p className={styles.help}>
        手机号已停用？员工账号请联系本公司的主账号。主账号请
        {helpLine ? `拨打服务热线 ${helpLine}` : '联系厂商的渠道经理'}，核对公司和手机号后为您重置。
      </p>
    </form>
  )
}

const isTyping = () => document.activeElement instanceof HTMLInputElement

/** The code, and the button that has one sent once a puzzle is solved. */
function Code({ form }: { form: Form<PasswordReset> }) {
  const [secondsLeft, countDown] = useCountdown('code.reset')
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [inboxUrl, setInboxUrl] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const loginName = form.draft.loginName.trim()
  const showRefusal = ({ data, message }: RefusalOf) => {
    setAsking(false)
    if (typeof data?.secondsLeft === 'number') countDown(data.secondsLeft)
    setSaid(message)
  }
  const ask = () => {
    setSaid('')
    if (loginName === '') form.refuse({ field: 'loginName', message: RESET_REFUSALS.LOGIN_NAME_REQUIRED })
    else setAsking(true)
  }
  const send = async (captcha: string) => {
    setAsking(false)
    setBusy(true)
    try {
      const sent = await signInApi.sendResetCode({ loginName, captcha })
      countDown(sent.secondsLeft)
      setInboxUrl(sent.inboxUrl)
      setSaid('如果账号存在，验证码已发送到它登记的手机号，10分钟内有效')
      // Not from a field that somebody has gone on to meanwhile.
      if (!isTyping()) form.focus('code')
    } catch (error) {
      setSaid(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Field form={form} name="code" label="验证码" required hint={said === '' ? undefined : said}>
        {control => (
          <div className={styles.code}>
            <TextInput
              {...control}
              value={form.draft.code}
              onChange={code => form.change({ code })}
              digits
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={CODE_DIGITS}
            />
            <Button
              busy={busy}
              disabled={secondsLeft > 0 ? `${secondsLeft} 秒后可重新获取` : null}
              aria-haspopup="dialog"
              onClick={ask}
            >
              {secondsLeft > 0 ? `${secondsLeft} 秒后重新获取` : '获取验证码'}
            </Button>
          </div>
        )}
      </Field>
      {inboxUrl && (
        <a className={styles.inbox} href={inboxUrl} target="_blank" rel="noreferrer">
          演示：查看短信
        </a>
      )}
      {asking && (
        <Suspense>
          <CaptchaDialog
            scene="reset"
            subject={loginName}
            onPass={token => void send(token)}
            onRefused={showRefusal}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  )
}
