import { lazy, useState } from 'react'
import { messageOf, type RefusalOf, refusalOf } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Field } from '#web/form/Field.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import type { Broken, FieldsOf, Form } from '#web/form/useForm.ts'
import styles from './code-field.module.css'
import type { Scene } from './rules.ts'
import { useCountdown } from './useCountdown.tsx'

const CaptchaDialog = lazy(() => import('./CaptchaDialog.tsx'))
const CODE_DIGITS = 6

type Sent = { secondsLeft: number; inboxUrl: string | null; said: string }

type Props<Name extends string> = {
  form: FieldsOf<Record<Name, string>> & Pick<Form<object>, 'focus' | 'refuse'>
  name: Name
  label?: string
  /** Whose code it is, where a form asks for two; the button is named by it. */
  of?: string
  /** Under which this browser remembers when another may be asked for. */
  remembered: string
  scene: Scene
  subject: string
  /** What has to be put right before one can be asked for, told at its field. */
  broken?: () => Broken | null
  /** Has the code sent for a solved puzzle's token. */
  send: (captcha: string) => Promise<Sent>
  /** As high as a thumb needs, at any width. */
  tall?: boolean
}

/** A code, and the button that has one sent to a phone once a puzzle is solved; it counts down, also after a reload. */
export function CodeField<Name extends string>(props: Props<Name>) {
  const { form, name, label = '验证码', of, tall } = props
  const code = useCode(props)
  const { secondsLeft } = code
  const asks = secondsLeft > 0 ? `${secondsLeft} 秒后重新获取` : '获取验证码'
  return (
    <>
      <Field form={form} name={name} label={label} required hint={code.said || undefined}>
        {control => (
          <div className={styles.code} data-tall={tall || undefined}>
            <TextInput
              {...control}
              value={form.draft[name]}
              onChange={typed => form.change({ [name]: typed } as Record<Name, string>)}
              digits
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={CODE_DIGITS}
              placeholder="6 位数字"
            />
            <Button
              busy={code.busy}
              disabled={secondsLeft > 0 ? `${secondsLeft} 秒后可重新获取` : null}
              aria-haspopup="dialog"
              aria-label={of === undefined ? undefined : `${asks}：${of}`}
              onClick={code.ask}
            >
              {asks}
            </Button>
          </div>
        )}
      </Field>
      {code.said !== '' && form.messageOf(name) !== null && (
        <p className={styles.said} aria-live="polite">
          {code.said}
        </p>
      )}
      {code.inboxUrl && (
        <a
          className={styles.inbox}
          data-tall={tall || undefined}
          href={code.inboxUrl}
          target="_blank"
          rel="noreferrer"
        >
          演示：查看短信
        </a>
      )}
      {code.puzzle}
    </>
  )
}

const isTyping = () => document.activeElement instanceof HTMLInputElement

function useCode<Name extends string>(props: Props<Name>) {
  const { form, name, scene, subject } = props
  const [secondsLeft, countDown] = useCountdown(props.remembered)
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [inboxUrl, setInboxUrl] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const ask = () => {
    setSaid('')
    const broken = props.broken?.()
    if (broken) form.refuse(broken)
    else setAsking(true)
  }
  const showRefusal = ({ data, field, message }: RefusalOf) => {
    setAsking(false)
    if (typeof data?.secondsLeft === 'number') countDown(data.secondsLeft)
    if (field !== undefined && field in form.draft) form.refuse({ field, message })
    else setSaid(message)
  }
  const send = async (captcha: string) => {
    setAsking(false)
    setBusy(true)
    try {
      const sent = await props.send(captcha)
      countDown(sent.secondsLeft)
      setSaid(sent.said)
      setInboxUrl(sent.inboxUrl)
      // Not from a field that somebody has gone on to meanwhile.
      if (!isTyping()) form.focus(name)
    } catch (error) {
      const refused = refusalOf(error)
      if (refused) showRefusal(refused)
      else setSaid(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const puzzle = asking && (
    <Suspense>
      <CaptchaDialog
        scene={scene}
        subject={subject}
        onPass={token => void send(token)}
        onRefused={showRefusal}
        onClose={() => setAsking(false)}
      />
    </Suspense>
  )
  return { secondsLeft, busy, said, inboxUrl, ask, puzzle }
}
