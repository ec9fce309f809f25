import { lazy, type ReactNode, useRef, useState } from 'react'
import type { Field as DeclaredField } from '#kit/declare/fields.ts'
import { cleanPhone } from '#kit/words/cleaned.ts'
import { api } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { SENDS } from '#web/form/FormElement.tsx'
import { type FieldsOf, useForm } from '#web/form/useForm.ts'
import { PublicBrand, PublicForm, PublicReceived } from '#web/shell/PublicPage.tsx'
import { Particles } from '#web/theme/Particles.tsx'
import styles from './consult.module.css'
import type { consultations } from './contract.ts'
import { CONSULTATION_ASKED } from './fields.ts'
import { brokenIn, CONSULTATION_REFUSALS, type ConsultationForm } from './rules.ts'

const consultationsApi = api<typeof consultations>('consultations')
const CaptchaDialog = lazy(() => import('#features/office/captcha/CaptchaDialog.tsx'))

const EMPTY: ConsultationForm = { name: '', mobile: '', address: '', content: '' }

/** The website's form for shops that want to be called (D1 §2). Without shell, router and component library. */
export default function ConsultPage() {
  const [sent, setSent] = useState<string | null>(null)
  return (
    <main className={styles.consult}>
      <Particles />
      <header className={styles.consultWords}>
        <PublicBrand name="门店管理系统" />
        <h1>让收银、会员和外卖在一套系统里</h1>
        <p>餐饮、零售门店都在用。留下联系方式，顾问会在工作日内给您回电，介绍方案和报价。</p>
        <ul>
          <li>免费演示，按门店规模配置</li>
          <li>本地服务商上门安装与培训</li>
          <li>号码只用于本次回访，不会公开</li>
        </ul>
      </header>
      {sent === null ? (
        <Question onSent={setSent} />
      ) : (
        <Received mobile={sent} onAgain={() => setSent(null)} />
      )}
    </main>
  )
}

/** The form: checked here, a puzzle, sent once; what was typed stays until it is received. */
function Question({ onSent }: { onSent: (mobile: string) => void }) {
  const captcha = useRef('')
  const [asking, setAsking] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  // No fields: a door without an account, where the first bytes count.
  const form = useForm({
    initial: EMPTY,
    judge: draft =>
      brokenIn(draft).map(({ field, code }) => ({ field, message: CONSULTATION_REFUSALS[code] })),
    send: draft => consultationsApi.submit({ ...draft, captcha: captcha.current }),
    onDone: ({ mobile }) => onSent(cleanPhone(mobile)),
  })
  return (
    <>
      <PublicForm
        id="consult-title"
        title="预约咨询"
        submitText="提交咨询"
        busy={form.busy}
        message={refused ?? form.message}
        spaced
        onSubmit={() => {
          setRefused(null)
          if (!form.busy && form.passes()) setAsking(true)
        }}
      >
        <Field form={form} name="name">
          {field => <input {...field} {...SENDS} autoComplete="name" />}
        </Field>
        <Field form={form} name="mobile">
          {field => (
            <input
              {...field}
              {...SENDS}
              type="tel"
              inputMode="numeric"
              autoComplete="tel-national"
              maxLength={11}
            />
          )}
        </Field>
        <Field form={form} name="address">
          {field => <input {...field} {...SENDS} autoComplete="street-address" />}
        </Field>
        <Field form={form} name="content">
          {field => <textarea {...field} rows={CONSULTATION_ASKED.content.control.rows} />}
        </Field>
      </PublicForm>
      {asking && (
        <Suspense>
          <CaptchaDialog
            scene="consultation"
            subject={cleanPhone(form.draft.mobile)}
            onPass={token => {
              captcha.current = token
              setAsking(false)
              void form.submit()
            }}
            onRefused={({ message }) => {
              setAsking(false)
              setRefused(message)
            }}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  )
}

type FieldProps = {
  id: string
  name: string
  className: string | undefined
  value: string
  maxLength: number | undefined
  'aria-required'?: boolean
  'aria-invalid'?: boolean
  'aria-describedby': string
  onChange: (event: { target: { value: string } }) => void
}
type FieldFrame = {
  form: FieldsOf<ConsultationForm>
  name: keyof ConsultationForm
  children: (field: FieldProps) => ReactNode
}

function Field({ form, name, children }: FieldFrame) {
  const { max, label, control }: DeclaredField = CONSULTATION_ASKED[name]
  const required = control?.required === true
  const id = form.idOf(name)
  const message = form.messageOf(name)
  return (
    <div className={styles.consultField}>
      <label htmlFor={id}>
        {control?.label ?? label}
        {required ? <b aria-hidden="true">*</b> : <small>选填</small>}
      </label>
      {children({
        id,
        name,
        className: look.input,
        value: form.draft[name],
        maxLength: max,
        'aria-required': required,
        'aria-invalid': message !== null || undefined,
        'aria-describedby': `${id}-message`,
        onChange: event => form.change({ [name]: event.target.value }),
      })}
      <p id={`${id}-message`} className={styles.consultBroken} aria-live="polite">
        {message}
      </p>
    </div>
  )
}

function Received({ mobile, onAgain }: { mobile: string; onAgain: () => void }) {
  return (
    <PublicReceived id="consult-received" title="已收到您的咨询" spaced>
      <p>
        顾问会在工作日内拨打 <span className={look.number}>{mobile}</span>，请保持电话畅通。
      </p>
      <Button onClick={onAgain}>再次咨询</Button>
    </PublicReceived>
  )
}
