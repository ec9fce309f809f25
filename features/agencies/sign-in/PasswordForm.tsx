import { PASSWORD_MAX } from '#kit/words/password.ts'
import { api } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { useLeaveGuard } from '#web/form/leave.ts'
import { TextField } from '#web/form/TextField.tsx'
import { useForm } from '#web/form/useForm.ts'
import { OwnAffairs } from '#web/shell/OwnAffairs.tsx'
import type { signIn } from './contract.ts'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import styles from './password.module.css'
import { PASSWORD_REFUSALS, refusePasswordChange } from './rules.ts'

const signInApi = api<typeof signIn>('signIn')

type Props = {
  /** Whose it is. */
  loginName: string
  /** What everybody knows of the account. */
  words: readonly string[]
  onDone: () => unknown
}

/** The old password and the new one twice (D3 §5). */
export function PasswordForm({ loginName, words, onDone }: Props) {
  // No fields: the password of the sign-in, with its fields and its rule.
  const form = useForm({
    initial: { oldPassword: '', newPassword: '', confirmation: '' },
    judge: draft => {
      const broken = refusePasswordChange(draft)
      return broken && { field: broken.field, message: PASSWORD_REFUSALS[broken.code] }
    },
    send: draft => signInApi.changePassword(draft),
    onDone,
  })
  useLeaveGuard(form.isUnsaved)
  return (
    <OwnAffairs>
      <FormElement className={styles.form} onSubmit={() => void form.submit()}>
        <input type="text" autoComplete="username" value={loginName} readOnly hidden />
        <TextField
          form={form}
          name="oldPassword"
          label="原密码"
          required
          secret
          autoComplete="current-password"
          maxLength={PASSWORD_MAX}
        />
        <NewPasswordFields form={form} words={words} />
        <p role="alert" className={styles.message}>
          {form.message}
        </p>
        <Button kind="primary" type="submit" busy={form.busy}>
          修改密码
        </Button>
      </FormElement>
    </OwnAffairs>
  )
}
