import { lazy, Suspense, useState } from 'react'
import { useCountdown } from '#features/captcha/useCountdown.tsx'
import { api, messageOf, type RefusalOf, refusalOf } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { TextField, TextInput } from '#web/form/TextField.tsx'
import type { Form } from '#web/form/useForm.ts'
import { readAgain, reread } from '#web/reread.ts'
import { SESSION_KEY, useSession } from '#web/session.ts'
import { toast } from '#web/toast.ts'
import type { agentProfile } from './contract.ts'
import styles from './profile.module.css'
import {
  PHONE_REFUSALS,
  type PhoneForm,
  type PhoneStep,
  phoneSubject,
  refuseNewPhone,
  refusePhoneForm,
} from './rules.ts'

const profileApi = api<typeof agentProfile>('agentProfile')
const CaptchaDialog = lazy(() => import('#features/captcha/CaptchaDialog.tsx'))
const CODE_DIGITS = 6

/** Another number for one's account, with a code to each. `ownPhone` is masked. */
export default function PhoneDialog({ ownPhone, onClose }: { ownPhone: string; onClose: () => void }) {
  return (
    <FormDialog<PhoneForm>
      title="更换手机号"
      submitText="更换"
      initial={{ oldCode: '', phone: '', newCode: '' }}
      refuse={form => {
        const broken = refusePhoneForm(form)
        return broken && { field: broken.field, message: PHONE_REFUSALS[broken.code] }
      }}
      onSubmit={async form => {
        const { phone } = await profileApi.changePhone(form)
        toast.success(`手机号已更换为 ${phone}`)
        await reread()
        readAgain(SESSION_KEY)
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <p className={styles.told}>
            找回密码等短信发送到此手机号，更换后两个号码都会收到通知。原手机号已停用时，请联系厂商核实后更换。
          </p>
          <CodeField form={form} step="old" label={`原手机 ${ownPhone} 的验证码`} />
          <TextField
            form={form}
            name="phone"
            label="新手机号"
            required
            digits
            inputMode="numeric"
            autoComplete="tel-national"
            maxLength={11}
          />
          <CodeField form={form} step="new" label="新手机的验证码" />
        </>
      )}
    </FormDialog>
  )
}

type CodeProps = { form: Form<PhoneForm>; step: PhoneStep; label: string }

/** A code, and the button that has one sent once a puzzle is solved; it counts down, also after a reload. */
function CodeField({ form, step, label }: CodeProps) {
  const { accountId } = useSession()
  const name = step === 'old' ? 'oldCode' : 'newCode'
  const [secondsLeft, countDown] = useCountdown(phoneSubject(accountId, step))
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [inboxUrl, setInboxUrl] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const { phone } = form.draft
  const ask = () => {
    setSaid('')
    const refusal = step === 'new' ? refuseNewPhone(phone) : null
    if (refusal) form.refuse({ field: 'phone', message: PHONE_REFUSALS[refusal] })
    else setAsking(true)
  }
  const showRefusal = ({ data, message }: RefusalOf) => {
    setAsking(false)
    if (typeof data?.secondsLeft === 'number') countDown(data.secondsLeft)
    if (data?.field === 'phone') form.refuse({ field: 'phone', message })
    else setSaid(message)
  }
  const send = async (captcha: string) => {
    setAsking(false)
    setBusy(true)
    try {
      const sent = await profileApi.sendPhoneCode({ step, phone: step === 'new' ? phone : '', captcha })
      countDown(sent.secondsLeft)
      setSaid(`验证码已发送至 ${sent.phone}，10分钟内有效`)
      setInboxUrl(sent.inboxUrl)
      form.focus(name)
    } catch (error) {
      const refused = refusalOf(error)
      if (refused) showRefusal(refused)
      else setSaid(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Field form={form} name={name} label={label} required hint={said || undefined}>
        {control => (
          <div className={styles.code}>
            <TextInput
              {...control}
              value={form.draft[name]}
              onChange={code => form.change({ [name]: code })}
              digits
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={CODE_DIGITS}
              placeholder="6 位数字"
            />
            <Button
              busy={busy}
              disabled={secondsLeft > 0 ? `${secondsLeft} 秒后可重新获取` : null}
              aria-haspopup="dialog"
              aria-label={`${secondsLeft > 0 ? `${secondsLeft} 秒后重新获取` : '获取验证码'}：${step === 'old' ? '原手机' : '新手机'}`}
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
            scene="code"
            subject={phoneSubject(accountId, step)}
            onPass={token => void send(token)}
            onRefused={showRefusal}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  )
}
