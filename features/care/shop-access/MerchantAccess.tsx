// What details say and do about a shop's login and its phone: its account, its password, the code before a recall.

import { useMutation } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import type { Merchant } from '#features/shops/merchants/contract.ts'
import { AccountText } from '#features/shops/merchants/MerchantTexts.tsx'
import { REFUSALS, refuseDisabled, refusePhoneChange } from '#features/shops/merchants/rules.ts'
import { CodeButton } from '#features/shops/messages/CodeButton.tsx'
import { refuseReceiver, SEND_REFUSALS } from '#features/shops/messages/rules.ts'
import { api, messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { usePermission, useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import type { shopAccess } from './contract.ts'
import styles from './shop-access.module.css'

const shopAccessApi = api<typeof shopAccess>('shopAccess')
const ChangePhoneDialog = lazy(() => import('./ChangePhoneDialog.tsx'))
const RecoveryCodeDialog = lazy(() => import('./RecoveryCodeDialog.tsx'))
const ResetPasswordDialog = lazy(() => import('./ResetPasswordDialog.tsx'))

function lockOf(merchant: Merchant): string | null {
  const code = refuseDisabled(merchant.status)
  return code && REFUSALS[code]
}

/** The account, which is the shop's phone, and the way to another. */
export function AccountFact({ merchant }: { merchant: Merchant }) {
  const [open, setOpen] = useState(false)
  const session = useSession()
  const byStaff = refusePhoneChange(merchant.account, session)
  return (
    <>
      <span className={styles.merchantAccess}>
        <AccountText merchant={merchant} />
        <Permit permission="shopAccess.changePhone">
          {byStaff ? (
            <span className={look.quiet}>{REFUSALS[byStaff]}</span>
          ) : (
            <Button kind="link" changes disabled={lockOf(merchant)} onClick={() => setOpen(true)}>
              修改手机号
            </Button>
          )}
        </Permit>
      </span>
      <Suspense>{open && <ChangePhoneDialog merchant={merchant} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}

export function PasswordFact({ merchant }: { merchant: Merchant }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <span className={styles.merchantAccess}>
        已设置
        <Permit permission="shopAccess.resetPassword">
          <Button kind="link" changes disabled={lockOf(merchant)} onClick={() => setOpen(true)}>
            重置密码
          </Button>
        </Permit>
      </span>
      <Suspense>
        {open && <ResetPasswordDialog merchant={merchant} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}

/** Whether recalling the shop's SMS credit asks for a code, and having one sent. */
export function RecoveryCodeFact({ merchant }: { merchant: Merchant }) {
  const mayEdit = usePermission('merchants.edit')
  const { isVendorStaff } = useSession()
  const [open, setOpen] = useState(false)
  const change = useMutation({
    mutationFn: (needsRecoveryCode: boolean) =>
      shopAccessApi.setRecoveryCode({ id: merchant.id, needsRecoveryCode }),
    onSuccess: () => {
      toast.success('修改成功')
      return reread()
    },
    onError: error => {
      toast.error(messageOf(error))
      readAgain('merchants.details')
    },
  })
  const lock = lockOf(merchant)
  const receiver = refuseReceiver(merchant)
  const needed = change.isPending ? change.variables : merchant.needsRecoveryCode
  return (
    <span className={styles.merchantAccess}>
      {mayEdit ? (
        <label className={styles.merchantSwitch} data-tip={lock ?? undefined}>
          <input
            type="checkbox"
            role="switch"
            aria-checked={needed}
            aria-label="回收需验证码"
            aria-disabled={lock !== null || undefined}
            checked={needed}
            onChange={event => {
              if (lock !== null || change.isPending) return
              // Switching it off takes a code, as the server asks.
              if (event.target.checked || isVendorStaff) change.mutate(event.target.checked)
              else setOpen(true)
            }}
          />
          {needed ? '需要' : '不需要'}
        </label>
      ) : (
        <span>{needed ? '需要' : '不需要'}</span>
      )}
      {needed && (
        <CodeButton
          merchantId={merchant.id}
          purpose="recovery"
          refusal={receiver && SEND_REFUSALS[receiver]}
        />
      )}
      <Suspense>{open && <RecoveryCodeDialog merchant={merchant} onClose={() => setOpen(false)} />}</Suspense>
    </span>
  )
}
