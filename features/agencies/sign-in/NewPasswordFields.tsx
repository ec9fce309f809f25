import { PASSWORD_MAX } from '#kit/words/password.ts'
import { TextField } from '#web/form/TextField.tsx'
import type { FieldsOf } from '#web/form/useForm.ts'
import { type NewPassword, PASSWORD_HINT } from './rules.ts'
import { StrengthMeter } from './StrengthMeter.tsx'

type Props = {
  form: FieldsOf<NewPassword>
  /** What everybody knows of the account. */
  words?: readonly string[]
}

/** A new password, how strong it is, and the same again. */
export function NewPasswordFields({ form, words }: Props) {
  return (
    <>
      <TextField
        form={form}
        name="newPassword"
        label="新密码"
        required
        secret
        hint={PASSWORD_HINT}
        autoComplete="new-password"
        maxLength={PASSWORD_MAX}
      />
      <StrengthMeter password={form.draft.newPassword} words={words} />
      <TextField
        form={form}
        name="confirmation"
        label="再次输入新密码"
        required
        secret
        autoComplete="new-password"
        maxLength={PASSWORD_MAX}
      />
    </>
  )
}
