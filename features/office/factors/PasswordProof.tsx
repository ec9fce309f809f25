import { PASSWORD_MAX } from '#kit/words/password.ts'
import { Button } from '#web/controls/Button.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { useForm } from '#web/form/useForm.ts'
import styles from './factors.module.css'
import { FACTOR_REFUSALS } from './rules.ts'

type Props = { submitText: string; onPassword: (password: string) => Promise<void> }

/** Asks for the password again, of an account that has nothing better. */
export function PasswordProof({ submitText, onPassword }: Props) {
  const form = useForm({
    initial: { password: '' },
    judge: ({ password }) =>
      password === '' ? { field: 'password', message: FACTOR_REFUSALS.PASSWORD_REQUIRED } : null,
    send: ({ password }) => onPassword(password),
  })
  return (
    <FormElement className={styles.passwordForm} onSubmit={() => void form.submit()}>
      <TextField
        form={form}
        name="password"
        label="登录密码"
        required
        secret
        data-autofocus
        autoComplete="current-password"
        maxLength={PASSWORD_MAX}
      />
      <p className={styles.factorMessage} role="alert">
        {form.message}
      </p>
      <Button kind="primary" type="submit" busy={form.busy}>
        {submitText}
      </Button>
    </FormElement>
  )
}
