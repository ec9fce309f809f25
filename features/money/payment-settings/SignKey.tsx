import { useState } from 'react'
import { messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { Instant } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { SIGN_KEY } from './fields.ts'
import styles from './paymentSettings.module.css'
import { REFUSALS, refuseSignKey } from './rules.ts'
import { type Standing, settingsApi } from './settingsApi.tsx'
import { usePayDisabled } from './usePayDisabled.tsx'

type Props = Pick<Standing, 'signKey' | 'payEnabled'>

/** The documents' sign key. */
export function SignKey({ signKey, payEnabled }: Props) {
  const [editing, setEditing] = useState(false)
  const disabled = usePayDisabled({ payEnabled })
  const remove = async () => {
    const sure = await confirm({
      title: '删除签名密钥',
      text: '删除后无法找回',
      confirmText: '删除',
      danger: true,
    })
    if (!sure) return
    try {
      await settingsApi.removeSignKey()
      toast.success('已删除签名密钥')
    } catch (error) {
      toast.error(messageOf(error))
    }
    await reread()
  }
  return (
    <section className={styles.ownAccount} aria-labelledby="own-sign-key">
      <h2 id="own-sign-key" className={look.sectionTitle}>
        签名密钥
      </h2>
      <p className={look.quiet}>供聚合支付接口签名使用，上方的收款账户不需要</p>
      <p>
        {signKey ? (
          <>
            已设置 <Instant at={signKey.setAt} /> {signKey.setByName}
          </>
        ) : (
          '还没有设置'
        )}
      </p>
      <div className={styles.ownDeeds}>
        <Button changes disabled={disabled} onClick={() => setEditing(true)}>
          {signKey ? '更换密钥' : '设置密钥'}
        </Button>
        {signKey && (
          <Button kind="quiet" changes onClick={() => void remove()}>
            删除密钥
          </Button>
        )}
      </div>
      {editing && (
        <FormDialog
          title={signKey ? '更换签名密钥' : '设置签名密钥'}
          submitText="保存"
          of={SIGN_KEY}
          refuse={({ signKey: typed }) => {
            const code = refuseSignKey(typed)
            return code && { field: 'signKey', message: REFUSALS[code] }
          }}
          send={async typed => {
            await settingsApi.setSignKey(typed)
            toast.success('已保存签名密钥')
            await reread()
          }}
          onClose={() => setEditing(false)}
          told={{ signKey: { autoComplete: 'new-password' } }}
        />
      )}
    </section>
  )
}
