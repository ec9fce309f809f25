import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { api, messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { Instant } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import styles from './compat.module.css'
import type { compatAccess } from './contract.ts'

const compatApi = api<typeof compatAccess>('compatAccess')
const OpenDialog = lazy(() => import('./OpenDialog.tsx'))

/** One's own door for old programs, where the office has them: until when it is open, and how it is closed. */
export function CompatSection() {
  const mayOpen = usePermission('apiKeys.edit')
  const [opening, setOpening] = useState(false)
  const standing = useQuery(compatApi.standing.query())
  const close = useMutation({
    mutationFn: () => compatApi.close(),
    onSuccess: async () => {
      toast.success('已关闭旧接口')
      await reread()
    },
    onError: error => toast.error(messageOf(error)),
  })
  const askToClose = async () => {
    const sure = await confirm({
      title: '关闭旧接口？',
      text: '使用您账号的旧程序会立即不能访问，保存的密码校验信息一并删除',
      confirmText: '关闭旧接口',
      danger: true,
    })
    if (sure) close.mutate()
  }
  const { isOffered = false, access = null } = standing.data ?? {}
  if (!isOffered || (!mayOpen && access === null)) return null
  return (
    <section aria-labelledby="compat-title" className={styles.compat}>
      <div>
        <h2 id="compat-title" className={look.sectionTitle}>
          旧接口
        </h2>
        {access === null ? (
          <p className={look.quiet}>供还不能改用接口密钥的旧程序登录，未开通</p>
        ) : (
          <p className={look.quiet}>
            {access.isVoid
              ? '密码已修改，旧程序不能再登录，请关闭后重新开通'
              : `已开通，有效至 ${access.expiresOn}`}
            {access.lastUsedAt && (
              <>
                ，最近使用 <Instant at={access.lastUsedAt} />
              </>
            )}
          </p>
        )}
      </div>
      {access === null ? (
        <Button changes onClick={() => setOpening(true)}>
          开通旧接口
        </Button>
      ) : (
        <Button changes busy={close.isPending} onClick={() => void askToClose()}>
          关闭旧接口
        </Button>
      )}
      {opening && (
        <Suspense>
          <OpenDialog onClose={() => setOpening(false)} />
        </Suspense>
      )}
    </section>
  )
}
