import { useMutation } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { useCountdown } from '#features/office/captcha/useCountdown.tsx'
import { api, type RefusalOf, refusalOf } from '#web/client/api.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import type { messages } from './contract.ts'
import styles from './messages.module.css'
import { type AskedPurpose, CODE_PERMISSIONS, codeSubject } from './rules.ts'

const messagesApi = api<typeof messages>('messages')
const CaptchaDialog = lazy(() => import('#features/office/captcha/CaptchaDialog.tsx'))

type Props = {
  merchantId: number
  purpose: AskedPurpose
  /** Why no code can be sent to this shop, or null. */
  refusal?: string | null
  phone?: string | undefined
  onSent?: () => void
}

/** Sends a code to the shop's phone once a puzzle is solved; after that it counts down until another may be sent, also after a reload. */
export function CodeButton({ merchantId, purpose, refusal = null, phone, onSent }: Props) {
  const allowed = usePermission(CODE_PERMISSIONS[purpose])
  const [secondsLeft, countDown] = useCountdown(`code.${purpose}.${merchantId}`)
  const [asking, setAsking] = useState(false)
  const [inboxUrl, setInboxUrl] = useState<string | null>(null)
  const showRefusal = (refused: RefusalOf) => {
    if (typeof refused.data?.secondsLeft === 'number') countDown(refused.data.secondsLeft)
    toast.warning(refused.message)
  }
  const send = useMutation({
    mutationFn: (captcha: string) => messagesApi.sendCode({ merchantId, purpose, captcha, phone }),
    onSuccess: sent => {
      countDown(sent.secondsLeft)
      toast.success(`验证码已发送至 ${sent.phone}`)
      setInboxUrl(sent.inboxUrl)
      onSent?.()
    },
    onError: error => {
      const refused = refusalOf(error)
      if (refused) showRefusal(refused)
    },
  })
  if (!allowed) return null
  const waiting = secondsLeft > 0
  return (
    <>
      <Button
        changes
        busy={send.isPending}
        disabled={refusal ?? (waiting ? `${secondsLeft} 秒后可重新获取` : null)}
        aria-haspopup="dialog"
        onClick={() => setAsking(true)}
      >
        <span className={look.number}>{waiting ? `${secondsLeft} 秒后重新获取` : '获取验证码'}</span>
      </Button>
      {inboxUrl && (
        <a className={styles.codeInbox} href={inboxUrl} target="_blank" rel="noreferrer">
          演示：查看短信
        </a>
      )}
      {asking && (
        <Suspense>
          <CaptchaDialog
            scene="code"
            subject={codeSubject(merchantId, purpose)}
            onPass={token => {
              setAsking(false)
              send.mutate(token)
            }}
            onRefused={refused => {
              setAsking(false)
              showRefusal(refused)
            }}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  )
}
