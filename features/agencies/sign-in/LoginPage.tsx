import { type ComponentType, createRef } from 'react'
import type { access } from '#features/office/access/contract.ts'
import { keyFailure, knowsPasskeys, signWithPasskey } from '#features/office/factors/passkeys.tsx'
import { cleanAccount } from '#kit/words/cleaned.ts'
import { api, messageOf, refusalOf } from '#web/client/api.ts'
import { brandOfDomain, type DemoAccount } from '#web/client/demo.ts'
import { busyWhile } from '#web/client/ready.ts'
import { leaveSignedIn, maySignedIn } from '#web/client/welcome.ts'
import { BusySign, buttonLook } from '#web/controls/Button.tsx'
import { DemoNote } from '#web/controls/DemoNote.tsx'
import { drawnAt, drawOnce, setAttribute } from '#web/controls/draw-once.ts'
import { IconEye, IconEyeOff } from '#web/controls/icons.tsx'
import { look } from '#web/controls/look.ts'
import { FormElement, SENDS } from '#web/form/FormElement.tsx'
import { AgentBrand } from '#web/shell/AgentBrand.tsx'
import { Brand } from '#web/shell/Brand.tsx'
import { moveParticles, ParticleField } from '#web/theme/Particles.tsx'
import type { signIn } from './contract.ts'
import styles from './LoginPage.module.css'
import { LOGIN_REFUSALS, refuseLogin } from './rules.ts'
import type { Step } from './SecondStep.tsx'

const accessApi = api<typeof access>('access')
const signInApi = api<typeof signIn>('signIn')

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
  /** Somebody begins to type: what comes after the login can be fetched. */
  onTyping: () => void
}

/**
 * The login of D1 §2. Leads on to `next` with a fresh page. It is drawn once and changed by hand: with React's DOM it would load five
 * times as much. What it opens besides its form is drawn by React, which comes along.
 */
export function showLoginPage(root: HTMLElement, props: Props): void {
  document.title = '合作伙伴后台'
  onceNobodyIsSignedIn(props.next, () => showForm(root, props))
}

// No fields: the sign-in, where the first bytes count.
function showForm(root: HTMLElement, props: Props): void {
  const { demo, demoAccounts, helpLine, ended, next, onTyping } = props
  const brand = brandOfDomain()
  const canvas = createRef<HTMLCanvasElement>()
  const form = createRef<HTMLFormElement>()
  const title = createRef<HTMLHeadingElement>()
  const name = createRef<HTMLInputElement>()
  const password = createRef<HTMLInputElement>()
  const caps = createRef<HTMLParagraphElement>()
  const message = createRef<HTMLParagraphElement>()
  const button = createRef<HTMLButtonElement>()
  const inPlace = createRef<HTMLDivElement>()
  const over = createRef<HTMLDivElement>()

  const say = (text: string, wrong?: typeof name) => {
    drawnAt(message).textContent = text
    for (const field of [name, password])
      setAttribute(drawnAt(field), 'aria-invalid', field === wrong || undefined)
  }
  const refuse = (text: string, wrong: typeof name) => {
    say(text, wrong)
    drawnAt(wrong).focus()
  }
  const typedName = () => cleanAccount(drawnAt(name).value)

  let busy = false
  let waits = 0
  const showState = (next: { busy?: boolean; waits?: number }) => {
    busy = next.busy ?? busy
    waits = next.waits ?? waits
    const text = waits > 0 ? `${waits} 秒后可再试` : '登录'
    const send = drawnAt(button)
    setAttribute(send, 'aria-disabled', busy || waits > 0 || undefined)
    setAttribute(send, 'aria-busy', busy || undefined)
    setAttribute(send, 'data-tip', waits > 0 ? text : undefined)
    send.replaceChildren(drawOnce([busy && <BusySign />, text]))
  }
  /** Seconds until another try is taken. */
  const wait = (seconds: number) => {
    showState({ waits: seconds })
    if (seconds > 0) setTimeout(() => wait(seconds - 1), 1_000)
  }

  const taken = new Set<typeof over>()
  /** Opens a part that React draws, one in a place. */
  const open = async <P extends object>(
    host: typeof over,
    load: () => Promise<{ default: ComponentType<P> }>,
    propsOf: (close: () => void) => P,
  ) => {
    if (taken.has(host)) return
    taken.add(host)
    try {
      const [{ openPart }, { default: Part }] = await busyWhile(
        Promise.all([import('./open-part.tsx'), load()]),
      )
      const close = openPart(drawnAt(host), <Part {...propsOf(() => leave())} />)
      const leave = () => {
        close()
        taken.delete(host)
      }
    } catch (error) {
      taken.delete(host)
      say(messageOf(error))
    }
  }
  /** The form stays behind it, so that what was typed does. */
  const openInPlace = async <P extends object>(
    load: () => Promise<{ default: ComponentType<P> }>,
    propsOf: (back: () => void) => P,
  ) => {
    await open(inPlace, load, close => {
      drawnAt(form).hidden = true
      return propsOf(() => {
        close()
        drawnAt(form).hidden = false
      })
    })
  }

  const enter = () => {
    leaveSignedIn()
    location.replace(next)
  }
  const askForPuzzle = (subject: string) =>
    open(
      over,
      () => import('#features/office/captcha/CaptchaDialog.tsx'),
      close => ({
        scene: 'login' as const,
        subject,
        onPass: (token: string) => {
          close()
          void submit(token)
        },
        onRefused: ({ message: why }: { message: string }) => {
          close()
          refuse(why, password)
        },
        onClose: close,
      }),
    )
  const takeStep = (step: Step) =>
    openInPlace(
      () => import('./SecondStep.tsx'),
      back => ({ step, onIn: enter, onBack: back, onAgain: async () => step }),
    )
  const submit = async (captcha?: string) => {
    if (busy || waits > 0) return
    const typed = { loginName: typedName(), password: drawnAt(password).value.trim() }
    const refusal = refuseLogin(typed)
    if (refusal) return refuse(LOGIN_REFUSALS[refusal], refusal === 'LOGIN_NAME_REQUIRED' ? name : password)
    showState({ busy: true })
    say('')
    try {
      const { step } = await signInApi.login({ ...typed, captcha })
      if (!step) return enter()
      showState({ busy: false })
      await takeStep(step)
    } catch (error) {
      showState({ busy: false })
      const refused = refusalOf(error)
      if (refused && ASKS_FOR_PUZZLE.includes(refused.code)) return askForPuzzle(typed.loginName)
      if (refused?.code === 'LOGIN_TOO_SOON') wait(Number(refused.data?.secondsLeft ?? 1))
      refuse(messageOf(error), password)
      drawnAt(password).select()
    }
  }
  const enterByPasskey = async () => {
    drawnAt(message).textContent = ''
    try {
      const { token, options } = await signInApi.passkeyOptions()
      await signInApi.passkey({ token, response: await signWithPasskey(options) })
      enter()
    } catch (error) {
      drawnAt(message).textContent = keyFailure(error) ?? messageOf(error)
    }
  }
  const enterAs = ({ loginName, password: word }: DemoAccount) => {
    drawnAt(name).value = loginName
    drawnAt(password).value = word
    void submit()
  }
  const openForgotten = () =>
    openInPlace(
      () => import('./ForgottenForm.tsx'),
      back => ({
        loginName: typedName(),
        helpLine,
        onBack: back,
        onDone: () => {
          back()
          drawnAt(form).querySelector('[role=status]')?.remove()
          drawnAt(title).after(drawOnce(<Told good text="密码已重设，请用新密码登录" />))
        },
      }),
    )

  const watchCapsLock = (event: Pick<KeyboardEvent, 'getModifierState'>) => {
    drawnAt(caps).textContent = event.getModifierState('CapsLock') ? '大写锁定已开启' : ''
  }
  root.append(
    drawOnce(
      <>
        {demo && <DemoNote />}
        <main className={styles.login}>
          <ParticleField canvas={canvas} />
          <div ref={inPlace} className={styles.loginPart} />
          <FormElement ref={form} className={styles.loginForm} onSubmit={() => void submit()}>
            {brand && <AgentBrand brand={brand} className={styles.loginBrand} />}
            <h1 ref={title}>
              {!brand && <Brand size={32} />}
              合作伙伴后台
            </h1>
            {ended && <Told text="登录已失效，请重新登录" />}
            <label htmlFor="login-name">账号</label>
            <input
              {...SENDS}
              id="login-name"
              ref={name}
              className={look.input}
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={64}
              aria-describedby="login-message"
            />
            <label htmlFor="login-password">密码</label>
            <div className={styles.loginPassword}>
              <input
                {...SENDS}
                id="login-password"
                ref={password}
                className={look.input}
                type="password"
                autoComplete="current-password"
                maxLength={128}
                aria-describedby="login-caps login-message"
                onKeyDown={watchCapsLock}
                onKeyUp={watchCapsLock}
                onBlur={() => {
                  drawnAt(caps).textContent = ''
                }}
              />
              <ShowPassword of={() => drawnAt(password)} />
            </div>
            <p ref={caps} id="login-caps" className={styles.loginCaps} aria-live="polite" />
            <p ref={message} id="login-message" className={styles.loginMessage} role="alert" />
            <button
              ref={button}
              type="submit"
              className={buttonLook('primary')}
              data-kind="primary"
              onClick={event => {
                if (busy || waits > 0) event.preventDefault()
              }}
            >
              登录
            </button>
            {knowsPasskeys() && (
              <button
                type="button"
                className={buttonLook()}
                data-kind="plain"
                onClick={() => void enterByPasskey()}
              >
                使用通行密钥登录
              </button>
            )}
            <button type="button" className={styles.loginForgotten} onClick={() => void openForgotten()}>
              忘记密码？
            </button>
            <a className={styles.loginApply} href="/partner/apply">
              申请成为合作伙伴
            </a>
            {demoAccounts.length > 0 && <DemoAccounts accounts={demoAccounts} onChoose={enterAs} />}
          </FormElement>
          {helpLine && <p className={styles.loginHelp}>服务热线 {helpLine}</p>}
          <div ref={over} className={styles.loginPart} />
        </main>
      </>,
    ),
  )
  drawnAt(form).addEventListener('input', onTyping, { once: true })
  drawnAt(name).focus()
  moveParticles(drawnAt(canvas))
}

const ASKS_FOR_PUZZLE = ['CAPTCHA_REQUIRED', 'CAPTCHA_WRONG']

/** Said over the form, good or not. */
function Told({ text, good }: { text: string; good?: boolean }) {
  return (
    <p className={styles.loginEnded} data-good={good || undefined} role="status">
      {text}
    </p>
  )
}

function ShowPassword({ of }: { of: () => HTMLInputElement }) {
  const button = createRef<HTMLButtonElement>()
  const toggle = () => {
    const isShown = of().type === 'password'
    of().type = isShown ? 'text' : 'password'
    drawnAt(button).setAttribute('aria-label', isShown ? '隐藏密码' : '显示密码')
    drawnAt(button).replaceChildren(drawOnce(isShown ? <IconEyeOff /> : <IconEye />))
  }
  return (
    <button ref={button} type="button" aria-label="显示密码" onClick={toggle}>
      <IconEye />
    </button>
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

/** At once, or once it is known; a session that holds leads on. */
function onceNobodyIsSignedIn(next: string, show: () => void): void {
  if (!maySignedIn()) {
    show()
    return
  }
  let isShown = false
  const showOnce = () => {
    if (!isShown) show()
    isShown = true
  }
  const timer = setTimeout(showOnce, LOOK_FOR_SESSION_MS)
  accessApi.current().then(() => {
    clearTimeout(timer)
    location.replace(next)
  }, showOnce)
}
