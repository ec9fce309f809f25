import { lazy, useState } from 'react'
import { useCountdown } from '#features/office/captcha/useCountdown.tsx'
import { cleanPhone } from '#kit/words/cleaned.ts'
import { api, messageOf, type RefusalOf } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Field } from '#web/form/Field.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import type { Form } from '#web/form/useForm.ts'
import styles from './apply.module.css'
import type { partnerApplications } from './contract.ts'
import { APPLICATION_REFUSALS, type ApplicationForm, refuseMobile } from './rules.ts'

export type Draft = ApplicationForm & { licence: string }

const applicationsApi = api<typeof partnerApplications>('partnerApplications')
const CaptchaDialog = lazy(() => import('#features/office/captcha/CaptchaDialog.tsx'))
const CODE_DIGITS = 6

/** The code to the applicant's phone, and the button that has one sent once a puzzle is solved. */
export function ApplyCode({ form }: { form: Form<Draft> }) {
  const [secondsLeft, countDown] = useCountdown('code.partner')
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [inboxUrl, setInboxUrl] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const mobile = cleanPhone(form.draft.mobile)
  const showRefusal = ({ data, message }: RefusalOf) => {
    setAsking(false)
    if (typeof data?.secondsLeft === 'number') countDown(data.secondsLeft)
    setSaid(message)
  }
  const ask = () => {
    setSaid('')
    const refused = refuseMobile(mobile)
    if (refused) form.refuse({ field: 'mobile', message: APPLICATION_REFUSALS[refused] })
    else setAsking(true)
  }
  const send = async (captcha: string) => {
    setAsking(false)
    setBusy(true)
    try {
      const sent = await applicationsApi.sendCode({ mobile, captcha })
      countDown(sent.secondsLeft)
      setInboxUrl(sent.inboxUrl)
      setSaid('验证码已发送，10分钟内有效')
      form.focus('code')
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
        <a className={look.inText} href={inboxUrl} target="_blank" rel="noreferrer">
          演示：查看短信
        </a>
      )}
      {asking && (
        <Suspense>
          <CaptchaDialog
            scene="partner"
            subject={mobile}
            onPass={token => void send(token)}
            onRefused={showRefusal}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  )
}
