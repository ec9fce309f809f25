import { Button } from '#web/controls/Button.tsx'
import { copyText } from '#web/controls/copy.ts'
import { CloseButton, Dialog, DialogText } from '#web/form/Dialog.tsx'
import styles from './webhooks.module.css'

/** A secret that was given just now: it is seen this once. */
export type GivenSecret = { url: string; secret: string; isNew: boolean }

/** It is seen this once. */
export default function SecretDialog({ given, onClose }: { given: GivenSecret; onClose: () => void }) {
  const { url, secret, isNew } = given
  return (
    <Dialog title="请保存签名密钥" width={560} onClose={onClose} footer={<CloseButton>我已保存</CloseButton>}>
      <DialogText>
        <p>
          {url} {isNew ? '已建好。' : '已换成新密钥。'}
          密钥只显示这一次，关闭后不能再查看。接收程序用它校验每条通知的签名（Standard Webhooks）。
        </p>
      </DialogText>
      <div className={styles.given}>
        <code className={styles.secret} data-part="secret">
          {secret}
        </code>
        <Button kind="primary" onClick={() => void copyText(secret)}>
          复制密钥
        </Button>
      </div>
    </Dialog>
  )
}
