import { useState } from 'react'
import { CodeField } from '#features/office/captcha/CodeField.tsx'
import { refusalOf } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { useForm } from '#web/form/useForm.ts'
import styles from './owner.module.css'
import { type OwnerFormData, ownerPapersApi } from './ownerPapersApi.tsx'
import { GUEST_REFUSALS } from './rules.ts'
import { SignaturePad } from './SignaturePad.tsx'

type Props = {
  code: string
  data: OwnerFormData
  onBack: () => void
  /** What is signed is no longer what is shown. */
  onChanged: () => unknown
  onDone: () => unknown
}

/** The text that is signed, the signature, and the code to the phone. */
export function OwnerSign({ code, data, onBack, onChanged, onDone }: Props) {
  const [refused, setRefused] = useState('')
  // No fields: a signature is drawn.
  const form = useForm({
    initial: { signature: '', code: '' },
    judge: draft => [
      ...(draft.signature === '' ? [{ field: 'signature', message: GUEST_REFUSALS.DRAWING_REQUIRED }] : []),
      ...(draft.code.trim() === '' ? [{ field: 'code', message: '请输入手机验证码' }] : []),
    ],
    send: draft =>
      ownerPapersApi.submit({
        ...{ code, typed: draft.code, hash: data.statementHash, signature: draft.signature },
      }),
    onRefused: error => {
      const refusal = refusalOf(error)
      if (refusal?.code === 'TEXT_CHANGED') void onChanged()
      // A field that is not asked for here.
      if (!refusal?.field || refusal.field in form.draft) return false
      setRefused(refusal.message)
      return true
    },
    onDone,
  })
  return (
    <FormElement className={styles.form} onSubmit={() => void form.submit()}>
      <section className={styles.card} aria-label="核对资料">
        <h2>核对资料</h2>
        <p className={styles.statement}>{data.statement}</p>
        <Button onClick={onBack}>返回修改</Button>
      </section>
      <section className={styles.card} aria-label="签名">
        <h2>签名</h2>
        <Field form={form} name="signature" label="本人签名" required group>
          {control => (
            <SignaturePad
              id={control.id}
              isSigned={form.draft.signature !== ''}
              describedBy={control['aria-describedby']}
              onChange={signature => form.change({ signature })}
            />
          )}
        </Field>
        <CodeField
          form={form}
          name="code"
          remembered={`code.owner-sign.${code.slice(0, 8)}`}
          scene="owner"
          subject={code}
          send={async captcha => ({
            ...(await ownerPapersApi.sendCode({ code, purpose: 'ownerSignature', captcha })),
            said: `验证码已发送到 ${data.given.phone}，10分钟内有效`,
          })}
          tall
        />
        <p className={styles.problem} role="alert">
          {refused || form.message}
        </p>
        <Button kind="primary" type="submit" busy={form.busy}>
          签名并提交
        </Button>
      </section>
    </FormElement>
  )
}
