import { CodeField } from '#features/office/captcha/CodeField.tsx'
import { cleanPhone } from '#kit/words/cleaned.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { FormElement } from '#web/form/FormElement.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { useForm } from '#web/form/useForm.ts'
import styles from './owner.module.css'
import { ownerPapersApi } from './ownerPapersApi.tsx'
import { GUEST_REFUSALS, refuseOwnerPhone } from './rules.ts'

type Props = { code: string; hasPhone: boolean; onDone: () => unknown }

/** A code to the phone, before anything that was entered is shown; at a second phone it goes to the one that was given first. */
export function OwnerEntry({ code, hasPhone, onDone }: Props) {
  const broken = (phone: string) => {
    const refused = hasPhone ? null : refuseOwnerPhone(cleanPhone(phone))
    return refused && { field: 'phone', message: GUEST_REFUSALS[refused] }
  }
  // No fields: a door without an account, where the first bytes count.
  const form = useForm({
    initial: { phone: '', code: '' },
    judge: draft => [
      ...[broken(draft.phone)].flatMap(one => one ?? []),
      ...(draft.code.trim() === '' ? [{ field: 'code', message: '请输入手机验证码' }] : []),
    ],
    send: draft => ownerPapersApi.enter({ code, phone: cleanPhone(draft.phone), typed: draft.code }),
    onDone,
  })
  return (
    <FormElement className={styles.card} aria-label="验证手机号" onSubmit={() => void form.submit()}>
      <h2>{hasPhone ? '继续填写' : '验证手机号'}</h2>
      <p className={look.quiet}>
        {hasPhone
          ? '已有人开始填写。请用首次填写的手机号收取验证码，验证后接着填。'
          : '请准备好营业执照、身份证和银行卡，用手机拍照即可，约 5 分钟。填写的内容随时保存，可换手机继续。'}
      </p>
      {!hasPhone && (
        <TextField
          form={form}
          name="phone"
          label="手机号"
          required
          digits
          inputMode="numeric"
          autoComplete="tel-national"
          maxLength={11}
        />
      )}
      <CodeField
        form={form}
        name="code"
        remembered={`code.owner.${code.slice(0, 8)}`}
        scene="owner"
        subject={code}
        broken={() => broken(form.draft.phone)}
        send={async captcha => ({
          ...(await ownerPapersApi.sendCode({
            ...{ code, purpose: 'ownerEntry', captcha },
            phone: cleanPhone(form.draft.phone),
          })),
          said: hasPhone ? '验证码已发送到首次填写的手机号，10分钟内有效' : '验证码已发送，10分钟内有效',
        })}
        tall
      />
      <p className={styles.problem} role="alert">
        {form.message}
      </p>
      <Button kind="primary" type="submit" busy={form.busy}>
        {hasPhone ? '继续' : '开始填写'}
      </Button>
    </FormElement>
  )
}
