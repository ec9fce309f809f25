import { GivenText } from '#features/agencies/api-keys/GivenText.tsx'
import { CloseButton, Dialog, DialogText } from '#web/form/Dialog.tsx'

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
      <GivenText text={secret} part="secret" isMain>
        复制密钥
      </GivenText>
    </Dialog>
  )
}
