import { useState } from 'react'
import type { Merchant } from '#features/shops/merchants/contract.ts'
import { LIMITS, REFUSALS, refusePassword } from '#features/shops/merchants/rules.ts'
import { isMainlandMobile } from '#kit/words/phone.ts'
import { api } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { copyText } from '#web/controls/copy.ts'
import { toast } from '#web/controls/toast.ts'
import { Check } from '#web/form/Check.tsx'
import { Dialog, DialogText } from '#web/form/Dialog.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import type { shopAccess } from './contract.ts'
import { NEW_PASSWORD } from './fields.ts'
import styles from './ResetPasswordDialog.module.css'

const shopAccessApi = api<typeof shopAccess>('shopAccess')

type Props = { merchant: Merchant; onClose: () => void }

/** A new password for a shop, typed or made here; it is shown once, to be passed on. */
export default function ResetPasswordDialog({ merchant, onClose }: Props) {
  const [password, setPassword] = useState<string | null>(null)
  if (password !== null) return <NewPassword merchant={merchant} password={password} onClose={onClose} />
  const lock = isMainlandMobile(merchant.account) ? null : REFUSALS.NOTICE_NOT_MOBILE
  return (
    <FormDialog
      title="重置密码"
      submitText="重置"
      width={440}
      of={NEW_PASSWORD}
      refuse={({ password: typed }) => {
        const broken = refusePassword(typed)
        return broken && { field: 'password', message: REFUSALS[broken] }
      }}
      send={async draft => {
        await shopAccessApi.resetPassword({ id: merchant.id, ...draft })
        toast.success('修改成功')
      }}
      onDone={draft => setPassword(draft.password)}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>重置后，{merchant.shopName} 的原密码立即失效。</FormNote>
          <FormFields form={form} only={['password']}>
            {{
              password: control => (
                <div className={styles.password}>
                  <TextInput
                    {...control}
                    value={form.draft.password}
                    onChange={typed => form.change({ password: typed })}
                    autoCapitalize="off"
                    spellCheck={false}
                    maxLength={LIMITS.passwordMax}
                  />
                  <Button onClick={() => form.change({ password: makePassword() })}>生成密码</Button>
                </div>
              ),
            }}
          </FormFields>
          <Check
            checked={form.draft.notify}
            disabled={lock}
            onChange={notify => form.change({ notify })}
            note={lock ?? '短信中不含密码，请另行告知'}
          >
            {NEW_PASSWORD.notify.label}
          </Check>
        </>
      )}
    </FormDialog>
  )
}

function NewPassword({ merchant, password, onClose }: Props & { password: string }) {
  return (
    <Dialog
      title="密码已重置"
      width={440}
      onClose={onClose}
      footer={
        <Button kind="primary" changes={false} onClick={onClose}>
          完成
        </Button>
      }
    >
      <DialogText>
        <p>
          {merchant.shopName}（账号 {merchant.account}）的新密码只显示这一次，请复制后告知商户。
        </p>
        <div className={styles.password}>
          <output>{password}</output>
          <Button onClick={() => void copyText(password)}>复制密码</Button>
        </div>
      </DialogText>
    </Dialog>
  )
}

/** Without characters that look alike. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const MADE_LENGTH = 10

function makePassword(): string {
  const fair = 256 - (256 % LETTERS.length)
  let password = ''
  while (password.length < MADE_LENGTH)
    for (const byte of crypto.getRandomValues(new Uint8Array(MADE_LENGTH)))
      if (byte < fair && password.length < MADE_LENGTH) password += LETTERS[byte % LETTERS.length]
  return password
}
