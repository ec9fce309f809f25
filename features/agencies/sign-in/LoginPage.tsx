import { type KeyboardEvent, lazy, useEffect, useRef, useState } from 'react'
import type { access } from '#features/office/access/contract.ts'
import { keyFailure, knowsPasskeys, signWithPasskey } from '#features/office/factors/passkeys.tsx'
import { cleanAccount } from '#kit/words/cleaned.ts'
import { api, messageOf, refusalOf } from '#web/client/api.ts'
import { brandOfDomain, type DemoAccount } from '#web/client/demo.ts'
import { leaveSignedIn, maySignedIn } from '#web/client/welcome.ts'
import { Button } from '#web/controls/Button.tsx'
import { DemoNote } from '#web/controls/DemoNote.tsx'
import { IconEye, IconEyeOff } from '#web/controls/icons.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { FormElement, SENDS } from '#web/form/FormElement.tsx'
import { AgentBrand } from '#web/shell/AgentBrand.tsx'
import { Brand } from '#web/shell/Brand.tsx'
import { Particles } from '#web/theme/Particles.tsx'
import type { signIn } from './contract.ts'
import styles from './LoginPage.module.css'
import { LOGIN_REFUSALS, refuseLogin } from './rules.ts'
import type { Step } from './SecondStep.tsx'

const accessApi = api<typeof access>('access')
const signInApi = api<typeof signIn>('signIn')

const SecondStep = lazy(() => import('./SecondStep.tsx'))
const CaptchaDialog = lazy(() => import('#features/office/captcha/CaptchaDialog.tsx'))
const ForgottenForm = lazy(() => import('./ForgottenForm.tsx'))

/** A session that still holds is found within this time, or the form is shown. */
const LOOK_FOR_SESSION_MS = 400

type Props = {
  demo: boolean
  /** None outside of the demo. */
  demoAccounts: readonly DemoAccount[]
  helpLine: string | null
  /** One is here because a session ended, not by one's own will. */
  ended: boolean
  next: string
}

// No fields: the sign-in, where the first bytes count.
/** The login of D1 §2. Leads on to `next` with a fresh page. */
export function LoginPage({ demo, demoAccounts, helpLine, ended, next }: Props) {
  const ready = useNoSession(next)
  const login = useLogin(next)
  const brand = brandOfDomain()
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const [forgotten, setForgotten] = useState(false)
  const [reset, setReset] = useState(false)
  useEffect(() => {
    document.title = '合作伙伴后台'
  }, [])
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  if (!ready) return null
  return (
    <>
      {demo && <DemoNote />}
      <main className={styles.login}>
        <Particles />
        {login.step && (
          <Suspense>
            <SecondStep
              step={login.step}
              onIn={login.enter}
              onBack={login.back}
              onAgain={async () => login.step}
            />
          </Suspense>
        )}
        {forgotten && (
          <Suspense>
            <ForgottenForm
              loginName={login.typedName()}
              helpLine={helpLine}
              onBack={() => setForgotten(false)}
              onDone={() => {
                setForgotten(false)
                setReset(true)
              }}
            />
          </Suspense>
        )}
        {/* It stays, so that what was typed does. */}
        <FormElement
          className={styles.loginForm}
          hidden={forgotten || login.step !== null}
          onSubmit={login.submit}
        >
          {brand && <AgentBrand brand={brand} className={styles.loginBrand} />}
          <h1>
            {!brand && <Brand size={32} />}
            合作伙伴后台
          </h1>
          {(ended || reset) && (
            <p className={styles.loginEnded} data-good={reset || undefined} role="status">
              {reset ? '密码已重设，请用新密码登录' : '登录已失效，请重新登录'}
            </p>
          )}
          <label htmlFor="login-name">账号</label>
          <input
            {...SENDS}
            id="login-name"
            ref={login.nameField}
            className={look.input}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={64}
            // biome-ignore lint/a11y/noAutofocus: the page has nothing else to begin with.
            autoFocus
            aria-invalid={login.wrong === 'name' || undefined}
            aria-describedby="login-message"
          />
          <label htmlFor="login-password">密码</label>
          <div className={styles.loginPassword}>
            <input
              {...SENDS}
              id="login-password"
              ref={login.passwordField}
              className={look.input}
              type={shown ? 'text' : 'password'}
              autoComplete="current-password"
              maxLength={128}
              aria-invalid={login.wrong === 'password' || undefined}
              aria-describedby="login-caps login-message"
              onKeyDown={watchCapsLock}
              onKeyUp={watchCapsLock}
              onBlur={() => setCapsLock(false)}
            />
            <button
              type="button"
              aria-label={shown ? '隐藏密码' : '显示密码'}
              onClick={() => setShown(!shown)}
            >
              {shown ? <IconEyeOff /> : <IconEye />}
            </button>
          </div>
          <p id="login-caps" className={styles.loginCaps} aria-live="polite">
            {capsLock && '大写锁定已开启'}
          </p>
          <p id="login-message" className={styles.loginMessage} role="alert">
            {login.message}
          </p>
          <Button
            kind="primary"
            type="submit"
            busy={login.busy}
            disabled={login.waits > 0 ? `${login.waits} 秒后可再试` : null}
          >
            {login.waits > 0 ? `${login.waits} 秒后可再试` : '登录'}
          </Button>
          {knowsPasskeys() && <Button onClick={() => void login.byPasskey()}>使用通行密钥登录</Button>}
          <button type="button" className={styles.loginForgotten} onClick={() => setForgotten(true)}>
            忘记密码？
          </button>
          <a className={styles.loginApply} href="/partner/apply">
            申请成为合作伙伴
          </a>
          {demoAccounts.length > 0 && <DemoAccounts accounts={demoAccounts} onChoose={login.as} />}
        </FormElement>
        {helpLine && <p className={styles.loginHelp}>服务热线 {helpLine}</p>}
        {login.puzzle}
      </main>
    </>
  )
}

type DemoProps = { accounts: readonly DemoAccount[]; onChoose: (account: DemoAccount) => void }

function DemoAccounts({ accounts, onChoose }: DemoProps) {
  return (
    <section className={styles.loginDemo} aria-label="演示身份">
      <p>演示数据，选择身份登录</p>
      <ul>
        {accounts.map(account => (
          <li key={account.loginName}>
            <button type="button" onClick={() => onChoose(account)}>
              <span>{account.who}</span>
              <small>{account.loginName}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Sends the form. The fields keep their own text, so that a password manager can fill them. */
function useLogin(next: string) {
  const nameField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const [message, setMessage] = useState('')
  const [wrong, setWrong] = useState<'name' | 'password' | null>(null)
  const [busy, setBusy] = useState(false)
  const [step, setStep] = useState<Step | null>(null)
  const [asked, setAsked] = useState<string | null>(null)
  const [waits, wait] = useWait()
  const refuse = (text: string, field: 'name' | 'password') => {
    setMessage(text)
    setWrong(field)
    const target = field === 'name' ? nameField : passwordField
    target.current?.focus()
  }
  const enter = () => {
    leaveSignedIn()
    location.replace(next)
  }
  const submit = async (captcha?: string) => {
    if (busy || waits > 0) return
    const form = {
      loginName: cleanAccount(nameField.current?.value ?? ''),
      password: passwordField.current?.value.trim() ?? '',
    }
    const refusal = refuseLogin(form)
    if (refusal)
      return refuse(LOGIN_REFUSALS[refusal], refusal === 'LOGIN_NAME_REQUIRED' ? 'name' : 'password')
    setBusy(true)
    setMessage('')
    setWrong(null)
    try {
      const { step } = await signInApi.login({ ...form, captcha })
      if (step) {
        setBusy(false)
        setStep(step)
      } else enter()
    } catch (error) {
      setBusy(false)
      const refused = refusalOf(error)
      if (refused && ASKS_FOR_PUZZLE.includes(refused.code)) return setAsked(form.loginName)
      if (refused?.code === 'LOGIN_TOO_SOON') wait(Number(refused.data?.secondsLeft ?? 1))
      refuse(messageOf(error), 'password')
      passwordField.current?.select()
    }
  }
  return {
    ...{ nameField, passwordField, message, wrong, busy, step, waits },
    enter,
    back: () => setStep(null),
    /** By a passkey alone. */
    async byPasskey() {
      setMessage('')
      try {
        const { token, options } = await signInApi.passkeyOptions()
        await signInApi.passkey({ token, response: await signWithPasskey(options) })
        enter()
      } catch (error) {
        setMessage(keyFailure(error) ?? messageOf(error))
      }
    },
    typedName: () => cleanAccount(nameField.current?.value ?? ''),
    puzzle: asked !== null && (
      <Suspense>
        <CaptchaDialog
          scene="login"
          subject={asked}
          onPass={token => {
            setAsked(null)
            void submit(token)
          }}
          onRefused={({ message: why }) => {
            setAsked(null)
            refuse(why, 'password')
          }}
          onClose={() => setAsked(null)}
        />
      </Suspense>
    ),
    submit() {
      void submit()
    },
    as({ loginName, password }: DemoAccount) {
      if (nameField.current) nameField.current.value = loginName
      if (passwordField.current) passwordField.current.value = password
      void submit()
    },
  }
}

const ASKS_FOR_PUZZLE = ['CAPTCHA_REQUIRED', 'CAPTCHA_WRONG']

/** Seconds until another try is taken, and a way to begin to wait. */
function useWait(): [seconds: number, wait: (seconds: number) => void] {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    if (seconds <= 0) return
    const timer = setTimeout(() => setSeconds(seconds - 1), 1_000)
    return () => clearTimeout(timer)
  }, [seconds])
  return [seconds, setSeconds]
}

/** False until it is known that nobody is signed in; a session that holds leads on. */
function useNoSession(next: string): boolean {
  const [ready, setReady] = useState(!maySignedIn())
  useEffect(() => {
    if (!maySignedIn()) return
    const show = () => setReady(true)
    const timer = setTimeout(show, LOOK_FOR_SESSION_MS)
    accessApi.current().then(() => location.replace(next), show)
    return () => clearTimeout(timer)
  }, [next])
  return ready
}
