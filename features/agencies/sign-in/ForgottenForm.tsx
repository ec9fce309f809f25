import { CodeField } from '#features/office/captcha/CodeField.tsx'
import { cleanAccount } from '#kit/words/cleaned.ts'
import { api } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { type Form, useForm } from '#web/form/useForm.ts'
import type { signIn } from './contract.ts'
import styles from './forgotten.module.css'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { type PasswordReset, RESET_MESSAGES, RESET_REFUSALS, refuseReset } from './rules.ts'

const signInApi = api<typeof signIn>('signIn')
const NAME_MAX = 64

type Props = { loginName: string; helpLine: string | null; onBack: () => void; onDone: () => void }

/** A new password with a code to the account's phone, in place of the login form. */
export default function ForgottenForm({ loginName, helpLine, onBack, onDone }: Props) {
  // No fields: a door without an account, where the first bytes count.
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
    <FormElement className={styles.forgotten} onSubmit={() => void form.submit()}>
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
    </FormElement>
  )
}

function Code({ form }: { form: Form<PasswordReset> }) {
  const loginName = cleanAccount(form.draft.loginName)
  return (
    <CodeField
      form={form}
      name="code"
      remembered="code.reset"
      scene="reset"
      subject={loginName}
      broken={() =>
        loginName === '' ? { field: 'loginName', message: RESET_REFUSALS.LOGIN_NAME_REQUIRED } : null
      }
      send={async captcha => ({
        ...(await signInApi.sendResetCode({ loginName, captcha })),
        said: '如果账号存在，验证码已发送到它登记的手机号，10分钟内有效',
      })}
    />
  )
}
