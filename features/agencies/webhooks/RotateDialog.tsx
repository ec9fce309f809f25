import { RotateForm } from '#features/agencies/api-keys/RotateForm.tsx'
import { api } from '#web/client/api.ts'
import type { EndpointRow, webhooks } from './contract.ts'
import type { GivenSecret } from './SecretDialog.tsx'

const webhooksApi = api<typeof webhooks>('webhooks')

type Props = { row: EndpointRow; onClose: () => void; onGiven: (given: GivenSecret) => void }

/** Another secret; for a while messages carry the signatures of both. */
export default function RotateDialog({ row: { id, url, previousUntil }, onClose, onGiven }: Props) {
  return (
    <RotateForm
      title="轮换密钥"
      note={`${url} 保留期间，每条通知同时带新旧两个密钥的签名，接收程序可以随时换成新密钥。`}
      endsPrevious={previousUntil !== null}
      rotate={async form => ({
        url,
        secret: (await webhooksApi.rotate({ id, ...form })).secret,
        isNew: false,
      })}
      onGiven={onGiven}
      onClose={onClose}
    />
  )
}
