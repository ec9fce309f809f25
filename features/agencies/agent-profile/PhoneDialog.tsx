import { CodeField } from '#features/office/captcha/CodeField.tsx'
import { api } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { SESSION_KEY, useSession } from '#web/client/session.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { Form } from '#web/form/useForm.ts'
import type { agentProfile } from './contract.ts'
import { PHONE_CHANGE } from './fields.ts'
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

/** Another number for one's account, with a code to each. `ownPhone` is masked. */
export default function PhoneDialog({ ownPhone, onClose }: { ownPhone: string; onClose: () => void }) {
  return (
    <FormDialog
      title="更换手机号"
      submitText="更换"
      of={PHONE_CHANGE}
      refuse={form => {
        const broken = refusePhoneForm(form)
        return broken && { field: broken.field, message: PHONE_REFUSALS[broken.code] }
      }}
      send={async form => {
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
          <Code form={form} step="old" label={`原手机 ${ownPhone} 的验证码`} />
          <FormFields
            form={form}
            only={['phone']}
            told={{ phone: { digits: true, autoComplete: 'tel-national', maxLength: 11 } }}
          />
          <Code form={form} step="new" label={PHONE_CHANGE.newCode.label} />
        </>
      )}
    </FormDialog>
  )
}

type CodeProps = { form: Form<PhoneForm>; step: PhoneStep; label: string }

function Code({ form, step, label }: CodeProps) {
  const { accountId } = useSession()
  const { phone } = form.draft
  const isNew = step === 'new'
  return (
    <CodeField
      form={form}
      name={isNew ? 'newCode' : 'oldCode'}
      label={label}
      of={isNew ? '新手机' : '原手机'}
      remembered={phoneSubject(accountId, step)}
      scene="code"
      subject={phoneSubject(accountId, step)}
      broken={() => {
        const refusal = isNew ? refuseNewPhone(phone) : null
        return refusal && { field: 'phone', message: PHONE_REFUSALS[refusal] }
      }}
      send={async captcha => {
        const sent = await profileApi.sendPhoneCode({ step, phone: isNew ? phone : '', captcha })
        return { ...sent, said: `验证码已发送至 ${sent.phone}，10分钟内有效` }
      }}
    />
  )
}
