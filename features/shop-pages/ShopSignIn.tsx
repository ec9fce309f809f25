import { lazy, Suspense, useState } from 'react'
import { useCountdown } from '#features/captcha/useCountdown.tsx'
import { api, messageOf, type RefusalOf } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { Field } from '#web/form/Field.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import { useForm } from '#web/form/useForm.ts'
import type { shopPages } from './contract.ts'
import styles from './shop.module.css'

const shopPagesApi = api<typeof shopPages>('shopPages')
const CaptchaDialog = lazy(() => import('#features/captcha/CaptchaDialog.tsx'))
const CODE_DIGITS = 6

/** A code to the shop's own phone, which nobody is told, and what came there. */
export default function ShopSignIn({ code, onDone }: { code: string; onDone: () => void }) {
  const [secondsLeft, countDown] = useCountdown(`code.shop.${code.slice(0, 8)}`)
  const [asking, setAsking] = useState(false)
  const [sending, setSending] = useState(false)
  const [inboxUrl, setInboxUrl] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const form = useForm({
    initial: { code: '' },
    judge: draft => (draft.code.trim() === '' ? { field: 'code', message: '请输入手机验证码' } : null),
    send: draft => shopPagesApi.signIn({ code, typed: draft.code }),
    onDone,
  })
  const showRefusal = ({ data, message }: RefusalOf) => {
    setAsking(false)
    if (typeof data?.secondsLeft === 'number') countDown(data.secondsLeft)
    setSaid(message)
  }
  const send = async (captcha: string) => {
    setAsking(false)
    setSending(true)
    try {
      const sent = await shopPagesApi.sendCode({ code, captcha })
      countDown(sent.secondsLeft)
      setInboxUrl(sent.inboxUrl)
      setSaid('验证码已发送到门店登记的手机号，10分钟内有效')
      form.focus('code')
    } catch (error) {
      setSaid(messageOf(error))
    } finally {
      setSending(false)
    }
  }
  return (
    <form
      className={styles.signIn}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        void form.submit()
      }}
    >
      <Field form={form} name="code" label="验证码" required>
        {control => (
          <div className={styles.code}>
            <TextInput
              {...control}
              value={form.draft.code}
              onChange={typed => form.change({ code: typed })}
              digits
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={CODE_DIGITS}
            />
            <Button
              busy={sending}
              disabled={secondsLeft > 0 ? `${secondsLeft} 秒后可重新获取` : null}
              aria-haspopup="dialog"
              onClick={() => {
                setSaid('')
                setAsking(true)
              }}
            >
              {secondsLeft > 0 ? `${secondsLeft} 秒后重新获取` : '获取验证码'}
            </Button>
          </div>
        )}
      </Field>
      <p className={styles.said} aria-live="polite">
        {said}
      </p>
      {inboxUrl && (
        <a className={styles.inbox} href={inboxUrl} target="_blank" rel="noreferrer">
          演示：查看短信
        </a>
      )}
      <p className={styles.problem} role="alert">
        {form.message}
      </p>
      <Button kind="primary" type="submit" busy={form.busy}>
        登录
      </Button>
      {asking && (
        <Suspense>
          <CaptchaDialog
            scene="shop"
            subject={code}
            onPass={token => void send(token)}
            onRefused={showRefusal}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </form>
  )
}
