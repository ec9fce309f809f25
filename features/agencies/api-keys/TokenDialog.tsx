import { CloseButton, Dialog, DialogText } from '#web/form/Dialog.tsx'
import { GivenText } from './GivenText.tsx'

/** A token that was given just now: it is seen this once. */
export type GivenToken = { name: string; token: string; firstCall: string; isNew: boolean }

/** It is seen this once. */
export default function TokenDialog({ given, onClose }: { given: GivenToken; onClose: () => void }) {
  const { name, token, firstCall, isNew } = given
  const call = `curl -H 'Authorization: Bearer ${token}' '${location.origin}${firstCall}'`
  return (
    <Dialog
      title={`请保存密钥「${name}」`}
      width={560}
      onClose={onClose}
      footer={<CloseButton>我已保存</CloseButton>}
    >
      <DialogText>
        <p>
          {isNew ? '' : '已换成新密钥。'}
          密钥只显示这一次，关闭后不能再查看。请存放在程序的保密设置中，不要发给他人。
        </p>
      </DialogText>
      <GivenText text={token} part="token" isMain>
        复制密钥
      </GivenText>
      <DialogText>
        <p>第一次调用（此密钥的权限已够用）：</p>
      </DialogText>
      <GivenText text={call}>复制命令</GivenText>
    </Dialog>
  )
}
