import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Merchant } from '#features/shops/merchants/contract.ts'
import { QrCode } from '#web/chart/QrCode.tsx'
import { api, messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { usePermission, useSession } from '#web/client/session.ts'
import { Button, buttonLook } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { copyText, share } from '#web/controls/copy.ts'
import { Instant } from '#web/controls/format.tsx'
import { toast } from '#web/controls/toast.ts'
import { Dialog } from '#web/form/Dialog.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import type { shopPages } from './contract.ts'
import styles from './customization.module.css'
import { LINK_REFUSALS } from './rules.ts'

const shopPagesApi = api<typeof shopPages>('shopPages')

/** The address at which a shop sees its own page: made, copied, shown as a code, replaced. */
export function ShopLink({ merchant }: { merchant: Merchant }) {
  const may = usePermission('shopPages.link')
  const { agentId } = useSession()
  const [open, setOpen] = useState(false)
  if (!may) return '—'
  const isOwn = merchant.agentId === agentId
  return (
    <>
      <Button kind="link" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        查看链接
      </Button>
      {open && <LinkDialog merchant={merchant} isOwn={isOwn} onClose={() => setOpen(false)} />}
    </>
  )
}

type Props = { merchant: Merchant; isOwn: boolean; onClose: () => void }

function LinkDialog({ merchant, isOwn, onClose }: Props) {
  const { id: merchantId, shopName, status } = merchant
  const asked = useQuery(shopPagesApi.link.query({ merchantId }))
  const lock = isOwn ? status === 'disabled' && LINK_REFUSALS.MERCHANT_DISABLED : LINK_REFUSALS.NOT_OWN_SHOP
  const acting = useMutation({
    mutationFn: (what: 'makeLink' | 'renewLink') => shopPagesApi[what]({ merchantId }),
    onSuccess: async (_answer, what) => {
      toast.success(what === 'makeLink' ? '链接已生成' : '链接已更换，原链接已失效')
      await reread()
    },
    onError: error => toast.error(messageOf(error)),
  })
  const replace = async () => {
    const text = '原链接和二维码立即失效，已登录的门店页面会退出。请把新链接发给商户。'
    if (await confirm({ title: '更换门店页面链接？', text, confirmText: '更换', danger: true }))
      acting.mutate('renewLink')
  }
  const link = asked.data?.link
  return (
    <Dialog title={`门店页面：${shopName}`} width={480} busy={acting.isPending} onClose={onClose}>
      <div className={styles.linkBody}>
        {asked.isError ? (
          <LoadFailure error={asked.error} onRetry={() => void asked.refetch()} />
        ) : !asked.data ? (
          <LoadingLines lines={6} />
        ) : link ? (
          <>
            <div className={styles.linkCode}>
              <QrCode text={link.url} label="门店页面二维码" />
            </div>
            <p className={styles.linkText}>{link.url}</p>
            <div className={styles.linkActions}>
              <Button kind="primary" changes={false} onClick={() => void copyText(link.url)}>
                复制链接
              </Button>
              <Button
                onClick={() => void share({ title: shopName, text: `${shopName}的门店页面\n${link.url}` })}
              >
                分享
              </Button>
              <a className={buttonLook()} href={link.url} target="_blank" rel="noreferrer">
                打开页面
              </a>
              <Button changes disabled={lock} busy={acting.isPending} onClick={() => void replace()}>
                更换链接
              </Button>
            </div>
            <History rows={asked.data.history} />
          </>
        ) : (
          <>
            <p className={styles.intro}>
              生成后，商户凭链接可查看版本、有效期、短信余额和您发布的首页内容，并可在线续费。链接不含个人信息，可随时更换。
            </p>
            <Button
              kind="primary"
              disabled={lock}
              busy={acting.isPending}
              onClick={() => acting.mutate('makeLink')}
            >
              生成链接
            </Button>
          </>
        )}
      </div>
    </Dialog>
  )
}

type HistoryRow = {
  createdByName: string
  createdAt: string
  revokedByName: string
  revokedAt: string | null
}

function History({ rows }: { rows: readonly HistoryRow[] }) {
  return (
    <ol className={styles.linkHistory} aria-label="链接记录">
      {rows.map(({ createdByName, createdAt, revokedByName, revokedAt }) => (
        <li key={createdAt}>
          {createdByName} 生成于 <Instant at={createdAt} />
          {revokedAt !== null && (
            <>
              ，{revokedByName} 更换于 <Instant at={revokedAt} />
            </>
          )}
        </li>
      ))}
    </ol>
  )
}
