import { CodeField } from '#features/office/captcha/CodeField.tsx'
import { api } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { useForm } from '#web/form/useForm.ts'
import type { shopPages } from './contract.ts'
import styles from './shop.module.css'

const shopPagesApi = api<typeof shopPages>('shopPages')

/** A code to the shop's own phone, which nobody is told, and what came there. */
export default function ShopSignIn({ code, onDone }: { code: string; onDone: () => void }) {
  // No fields: a door without an account, where the first bytes count.
  const form = useForm({
    initial: { code: '' },
    judge: draft => (draft.code.trim() === '' ? { field: 'code', message: '请输入手机验证码' } : null),
    send: draft => shopPagesApi.signIn({ code, typed: draft.code }),
    onDone,
  })
  return (
    <FormElement className={styles.signIn} onSubmit={() => void form.submit()}>
      <CodeField
        form={form}
        name="code"
        remembered={`code.shop.${code.slice(0, 8)}`}
        scene="shop"
        subject={code}
        send={async captcha => ({
          ...(await shopPagesApi.sendCode({ code, captcha })),
          said: '验证码已发送到门店登记的手机号，10分钟内有效',
        })}
        tall
      />
      <p className={styles.problem} role="alert">
        {form.message}
      </p>
      <Button kind="primary" type="submit" busy={form.busy}>
        登录
      </Button>
    </FormElement>
  )
}
