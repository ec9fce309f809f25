import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Choice } from '#web/form/Choice.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { EndpointRow, webhooks } from './contract.ts'
import { ROTATION } from './fields.ts'
import { OVERLAPS } from './rules.ts'
import type { GivenSecret } from './SecretDialog.tsx'

const webhooksApi = api<typeof webhooks>('webhooks')

type Props = { row: EndpointRow; onClose: () => void; onGiven: (given: GivenSecret) => void }

/** Another secret; for a while messages carry the signatures of both. */
export default function RotateDialog({ row, onClose, onGiven }: Props) {
  let given: GivenSecret | null = null
  return (
    <FormDialog
      title="轮换密钥"
      submitText="生成新密钥"
      of={ROTATION}
      send={async form => {
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
          <FormFields form={form} told={{ overlapHours: { group: true } }}>
            {{
              overlapHours: control => (
                <Choice
                  {...control}
                  look="lines"
                  label={ROTATION.overlapHours.label}
                  options={Object.entries(OVERLAPS).map(([hours, label]) => ({
                    value: Number(hours),
                    label,
                  }))}
                  value={form.draft.overlapHours}
                  onChange={overlapHours => form.change({ overlapHours })}
                />
              ),
            }}
          </FormFields>
        </>
      )}
    </FormDialog>
  )
}
