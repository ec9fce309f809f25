import { useQuery } from '@tanstack/react-query'
import { QrCode } from '#web/chart/QrCode.tsx'
import { api, messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { copyText } from '#web/controls/copy.ts'
import { toast } from '#web/controls/toast.ts'
import { ActionBar } from '#web/form/ActionBar.tsx'
import { Dialog, DialogText } from '#web/form/Dialog.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { factors } from './contract.ts'
import styles from './factors.module.css'
import { FIRST_CODE, KEY_NAME } from './fields.ts'
import { keyFailure, makePasskey } from './passkeys.tsx'

const factorsApi = api<typeof factors>('factors')

type Props = { onClose: () => void; onSet: (codes: readonly string[] | null) => Promise<void> }

/** The secret as a picture for the app, and the app's first code. */
export function TotpDialog({ onClose, onSet }: Props) {
  const begun = useQuery({
    queryKey: ['factor-secret'],
    queryFn: () => factorsApi.startTotp(),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (!begun.data)
    return (
      <Dialog title="设置验证器" onClose={onClose}>
        {begun.isError && <DialogText>{messageOf(begun.error)}</DialogText>}
      </Dialog>
    )
  const { token, secret, address } = begun.data
  return (
    <FormDialog
      title="设置验证器"
      submitText="确认设置"
      width={416}
      of={FIRST_CODE}
      send={async ({ code }) => {
        const { recoveryCodes } = await factorsApi.addTotp({ token, code })
        await onSet(recoveryCodes)
      }}
      onDone={() => undefined}
      onClose={onClose}
    >
      {form => (
        <>
          <div className={styles.setUp}>
            <p>用验证器应用扫描二维码，再输入它显示的 6 位验证码</p>
            <QrCode text={address} label="验证器二维码" />
            <p>
              无法扫描时手动输入密钥：
              <br />
              <code>{secret.replaceAll(/(.{4})/g, '$1 ').trim()}</code>
            </p>
          </div>
          <FormFields form={form} told={{ code: { autoComplete: 'one-time-code', maxLength: 7 } }} />
        </>
      )}
    </FormDialog>
  )
}

export function RenameDialog({
  passkey,
  onClose,
}: {
  passkey: { id: number; name: string }
  onClose: () => void
}) {
  return (
    <FormDialog
      title="重命名通行密钥"
      submitText="保存"
      width={416}
      of={KEY_NAME}
      known={passkey}
      send={async ({ name }) => {
        await factorsApi.renamePasskey({ id: passkey.id, name })
        toast.success('已重命名')
        await reread()
      }}
      onClose={onClose}
    />
  )
}

export function PasskeyDialog({ onClose, onSet }: Props) {
  return (
    <FormDialog
      title="添加通行密钥"
      submitText="添加"
      width={416}
      of={KEY_NAME}
      send={async ({ name }) => {
        const { token, options } = await factorsApi.startPasskey()
        const response = await makePasskey(options).catch((error: unknown) => {
          throw new Error(keyFailure(error) ?? messageOf(error), { cause: error })
        })
        const { recoveryCodes } = await factorsApi.addPasskey({ token, name, response })
        await onSet(recoveryCodes)
      }}
      onDone={() => undefined}
      onClose={onClose}
      told={{ name: { hint: '便于区分，如“办公室电脑”。接着按浏览器的提示验证指纹、面容或 PIN' } }}
    />
  )
}

/** They are seen this once. */
export function CodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog title="请保存恢复码" width={416} onClose={onClose}>
      <DialogText>手机丢失时，用恢复码登录。每个只能用一次，关闭后不再显示。</DialogText>
      <ul className={styles.codes} aria-label="恢复码">
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <ActionBar>
        <Button onClick={() => void copyText(codes.join('\n'))}>复制</Button>
        <Button kind="primary" changes={false} onClick={onClose}>
          我已保存
        </Button>
      </ActionBar>
    </Dialog>
  )
}
