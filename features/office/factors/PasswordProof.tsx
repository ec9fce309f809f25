import { Button } from '#web/controls/Button.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { useFormOf } from '#web/form/useFormOf.ts'
import styles from './factors.module.css'
import { PASSWORD_PROOF } from './fields.ts'

type Props = { submitText: string; onPassword: (password: string) => Promise<void> }

/** Asks for the password again, of an account that has nothing better. */
export function PasswordProof({ submitText, onPassword }: Props) {
  const form = useFormOf({ of: PASSWORD_PROOF, send: ({ password }) => onPassword(password) })
  return (
    <FormElement className={styles.passwordForm} onSubmit={() => void form.submit()}>
      <FormFields
        form={form}
        told={{ password: { autoComplete: 'current-password', 'data-autofocus': true } }}
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
