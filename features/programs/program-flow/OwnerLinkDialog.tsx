import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { QrCode } from '#web/chart/QrCode.tsx'
import { Button } from '#web/controls/Button.tsx'
import { copyText, share } from '#web/controls/copy.ts'
import { Instant } from '#web/controls/format.tsx'
import { Dialog } from '#web/form/Dialog.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import styles from './flow.module.css'
import { programFlowApi } from './programFlowApi.tsx'

/** An address for the owner's own phone, as a code to scan and a text to send. */
export default function OwnerLinkDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const link = useMutation({ mutationFn: () => programFlowApi.ownerLink({ id }) })
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    link.mutate()
  }, [link.mutate])
  return (
    <Dialog title="发给客户授权" width={480} onClose={onClose}>
      <div className={styles.given}>
        {link.isError ? (
          <LoadFailure error={link.error} onRetry={() => link.mutate()} />
        ) : !link.data ? (
          <LoadingLines lines={6} />
        ) : (
          <>
            <p>请客户的小程序管理员用手机微信扫码，或把链接发给本人。客户无需账号，授权后本页面会更新。</p>
            <div className={styles.code}>
              <QrCode text={link.data.url} label="客户授权二维码" />
            </div>
            <p className={styles.address}>{link.data.url}</p>
            <p className={styles.quiet}>
              <Instant at={link.data.until} /> 前有效，只能使用一次。
            </p>
            <div className={styles.steps}>
              <Button kind="primary" changes={false} onClick={() => void copyText(link.data.url)}>
                复制链接
              </Button>
              <Button
                changes={false}
                onClick={() =>
                  void share({
                    title: '授权小程序',
                    text: `请小程序管理员在手机微信中打开并授权\n${link.data.url}`,
                  })
                }
              >
                分享
              </Button>
            </div>
          </>
        )}
      </div>
    </Dialog>
  )
}
