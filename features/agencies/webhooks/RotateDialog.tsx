import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { ChoiceField } from '#web/form/Choice.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import type { webhooks } from './contract.ts'
import { OVERLAP_AT_FIRST, OVERLAPS } from './rules.ts'
import type { EndpointRow, GivenSecret } from './WebhooksPage.tsx'

const webhooksApi = api<typeof webhooks>('webhooks')

type Props = { row: EndpointRow; onClose: () => void; onGiven: (given: GivenSecret) => void }

/** Another secret; for a while messages carry the signatures of both. */
export default function RotateDialog({ row, onClose, onGiven }: Props) {
  let given: GivenSecret | null = null
  return (
    <FormDialog<{ overlapHours: number }>
      title="轮换密钥"
      submitText="生成新密钥"
      initial={{ overlapHours: OVERLAP_AT_FIRST }}
      onSubmit={async form => {
        const { secret } = await webhooksApi.rotate({ id: row.id, ...form })
        given = { url: row.url, secret, isNew: false }
        await reread()
      }}
      onDone={() => {
        if (given) onGiven(given)
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>
            {row.url} 保留期间，每条通知同时带新旧两个密钥的签名，接收程序可以随时换成新密钥。
            {row.previousUntil && '上一次轮换留下的旧密钥会立即失效。'}
          </FormNote>
          <ChoiceField
            form={form}
            name="overlapHours"
            label="旧密钥保留"
            look="lines"
            options={Object.entries(OVERLAPS).map(([hours, label]) => ({ value: Number(hours), label }))}
          />
        </>
      )}
    </FormDialog>
  )
}
