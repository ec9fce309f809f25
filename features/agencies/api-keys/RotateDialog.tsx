import { api } from '#web/client/api.ts'
import type { apiKeys, KeyRow } from './contract.ts'
import { RotateForm } from './RotateForm.tsx'
import type { GivenToken } from './TokenDialog.tsx'

const keysApi = api<typeof apiKeys>('apiKeys')

type Props = { row: KeyRow; onClose: () => void; onGiven: (given: GivenToken) => void }

/** Another token for a key; programs have time to change over. */
export default function RotateDialog({ row: { id, name, previousUntil }, onClose, onGiven }: Props) {
  return (
    <RotateForm
      title={`轮换密钥：${name}`}
      note="生成新密钥，权限、地址和到期日不变。旧密钥继续有效一段时间，方便逐个更换程序。"
      endsPrevious={previousUntil !== null}
      rotate={async form => {
        const { token, firstCall } = await keysApi.rotate({ id, ...form })
        return { name, token, firstCall, isNew: false }
      }}
      onGiven={onGiven}
      onClose={onClose}
    />
  )
}
