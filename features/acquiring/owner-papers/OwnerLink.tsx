import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { QrCode } from '#web/chart/QrCode.tsx'
import { messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { copyText, share } from '#web/controls/copy.ts'
import { Instant } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import type { ownerPapers } from './contract.ts'
import styles from './owner-desk.module.css'
import { ownerPapersApi } from './ownerPapersApi.tsx'
import { LINK_DAYS, OWNER_PAPERS_REFUSALS } from './rules.ts'

type Data = Out<typeof ownerPapers.ofShop>
type Made = Out<typeof ownerPapers.makeLink>

/** Made, copied, shown as a code, sent, called off. Its address is told once: the office keeps no more than a hash of it. */
export function OwnerLink({ merchantId, data }: { merchantId: number; data: Data }) {
  const { standing, messagePhone, messageRefusal, linkRefusal } = data
  const [made, setMade] = useState<Made | null>(null)
  const onError = (error: unknown) => toast.error(messageOf(error))
  const make = useMutation({
    mutationFn: () => ownerPapersApi.makeLink({ merchantId }),
    onSuccess: async link => {
      setMade(link)
      await reread()
    },
    onError,
  })
  const send = useMutation({
    mutationFn: ({ id, code }: Made) => ownerPapersApi.sendLink({ id, code }),
    onSuccess: ({ phone }) => toast.success(`已发送到 ${phone}`),
    onError,
  })
  const callOff = useMutation({
    mutationFn: (id: number) => ownerPapersApi.callOff({ id }),
    onSuccess: async () => {
      setMade(null)
      toast.success('链接已作废')
      await reread()
    },
    onError,
  })
  const isOpen =
    standing !== null &&
    standing.endedAt === null &&
    (standing.state === 'draft' || standing.state === 'returned')
  const isExpired = isOpen && Date.parse(standing.expiresAt) <= Date.now()
  const remake = async () => {
    const text = '原链接立即失效。店主用同一手机号打开新链接，可以接着填写。'
    if (!isOpen || isExpired || (await confirm({ title: '更换链接？', text, confirmText: '更换' })))
      make.mutate()
  }
  const end = async (id: number) => {
    const text = '店主不能再打开链接，已填写的内容保留。'
    if (await confirm({ title: '作废链接？', text, confirmText: '作废', danger: true })) callOff.mutate(id)
  }
  return (
    <section className={styles.link} aria-label="邀请店主">
      <p>
        店主用手机打开链接，拍照上传证件、核对并签名提交，无需账号。链接 {LINK_DAYS}{' '}
        天内有效，请只发给店主本人。
      </p>
      {messageRefusal === OWNER_PAPERS_REFUSALS.SMS_NONE && (
        <p className={styles.warning}>
          未开通短信服务：店主打开链接后收不到验证码，不能填写和签名。请联系运营商开通短信服务，开通后链接即可使用。
        </p>
      )}
      {isOpen && (
        <p className={look.quiet}>
          {standing.createdByName} 生成的链接
          {isExpired ? (
            '已过期'
          ) : (
            <>
              有效至 <Instant at={standing.expiresAt} />
            </>
          )}
        </p>
      )}
      {made && (
        <>
          <div className={styles.code}>
            <QrCode text={made.url} label="店主资料链接二维码" />
          </div>
          <p className={styles.address}>{made.url}</p>
          <p className={look.quiet}>链接只在此时显示，关闭后如需再发，请更换链接。</p>
        </>
      )}
      <div className={styles.actions}>
        {made && (
          <>
            <Button kind="primary" changes={false} onClick={() => void copyText(made.url)}>
              复制链接
            </Button>
            <Button
              onClick={() =>
                void share({ title: '收款资料', text: `请店主本人打开填写收款资料\n${made.url}` })
              }
            >
              分享
            </Button>
            <Button changes busy={send.isPending} disabled={messageRefusal} onClick={() => send.mutate(made)}>
              短信发送{messagePhone && `到 ${messagePhone}`}
            </Button>
          </>
        )}
        <Button
          changes
          kind={made ? 'plain' : 'primary'}
          disabled={linkRefusal}
          busy={make.isPending}
          onClick={() => void remake()}
        >
          {isOpen ? '更换链接' : '生成链接'}
        </Button>
        {isOpen && (
          <Button changes busy={callOff.isPending} onClick={() => void end(standing.id)}>
            作废
          </Button>
        )}
      </div>
    </section>
  )
}
