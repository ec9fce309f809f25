import { useState } from 'react'
import { isMainlandMobile } from '#kit/phone.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { copyText } from '#web/copy.ts'
import { Dialog } from '#web/Dialog.tsx'
import { look } from '#web/look.ts'
import styles from './ActionDialog.module.css'
import { ActionDialog, useAction } from './ActionDialog.tsx'
import type { merchants } from './contract.ts'
import { FormField, useDraft } from './FormField.tsx'
import type { Merchant } from './MerchantFacts.tsx'
import merchantsStyles from './merchants.module.css'
import { LIMITS, REFUSALS, refusePassword } from './rules.ts'

const merchantsApi = api<typeof merchants>('merchants')

type Draft = { password: string; notify: boolean }
type Props = { merchant: Merchant; onClose: () => void }

/** A new password for a shop, typed or made here; it is shown once, to be passed on. */
export default function ResetPasswordDialog({ merchant, onClose }: Props) {
  const [password, setPassword] = useState<string | null>(null)
  const form = useDraft<Draft>({ password: '', notify: false }, ({ password }) => {
    if (password === '') return [{ field: 'password', message: '请输入新密码' }]
    const broken = refusePassword(password)
    return broken ? [{ field: 'password', message: REFUSALS[broken] }] : []
  })
  const action = useAction(
    form,
    draft => merchantsApi.resetPassword({ id: merchant.id, ...draft }),
    draft => setPassword(draft.password),
  )
  if (password !== null) return <NewPassword merchant={merchant} password={password} onClose={onClose} />
  return (
    <ActionDialog title="重置密码" submitText="重置" action={action} onClose={onClose}>
      <p className={styles.merchantActionNote}>重置后，{merchant.shopName} 的原密码立即失效。</p>
      <FormField label="新密码" name="password" form={form} required hint="至少6位，字母、数字或常用符号">
        {({ status: _status, ...control }) => (
          <div className={styles.merchantPassword}>
            <input
              {...control}
              className={look.input}
              value={form.draft.password}
              onChange={event => form.change({ password: event.target.value })}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              maxLength={LIMITS.passwordMax}
            />
            <Button onClick={() => form.change({ password: makePassword() })}>生成密码</Button>
          </div>
        )}
      </FormField>
      <NotifyChoice
        checked={form.draft.notify}
        lock={isMainlandMobile(merchant.account) ? null : REFUSALS.NOTICE_NOT_MOBILE}
        onChange={notify => form.change({ notify })}
      />
    </ActionDialog>
  )
}

type NotifyProps = { checked: boolean; lock: string | null; onChange: (checked: boolean) => void }

function NotifyChoice({ checked, lock, onChange }: NotifyProps) {
  return (
    <label className={merchantsStyles.merchantChoice} data-tip={lock ?? undefined}>
      <input
        type="checkbox"
        checked={checked}
        aria-disabled={lock !== null || undefined}
        onChange={event => {
          if (lock === null) onChange(event.target.checked)
        }}
      />
      <span>
        短信通知商户密码已重置
        <span className={merchantsStyles.merchantChoiceNote}>{lock ?? '短信中不含密码，请另行告知'}</span>
      </span>
    </label>
  )
}

function NewPassword({ merchant, password, onClose }: Props & { password: string }) {
  return (
    <Dialog
      title="密码已重置"
      width={440}
      onClose={onClose}
      footer={
        <Button kind="primary" onClick={onClose}>
          完成
        </Button>
      }
    >
      <div className={styles.merchantAction}>
        <p className={styles.merchantActionNote}>
          {merchant.shopName}（账号 {merchant.account}）的新密码只显示这一次，请复制后告知商户。
        </p>
        <div className={styles.merchantPassword}>
          <output className={styles.merchantPasswordShown}>{password}</output>
          <Button onClick={() => void copyText(password)}>复制密码</Button>
        </div>
      </div>
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
