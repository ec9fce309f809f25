import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Choice } from '#web/form/Choice.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { apiKeys, KeyRow } from './contract.ts'
import { ROTATION } from './fields.ts'
import { OVERLAPS } from './rules.ts'
import type { GivenToken } from './TokenDialog.tsx'

const keysApi = api<typeof apiKeys>('apiKeys')

type Props = { row: KeyRow; onClose: () => void; onGiven: (given: GivenToken) => void }

/** Another token for a key; programs have time to change over. */
export default function RotateDialog({ row, onClose, onGiven }: Props) {
  let given: GivenToken | null = null
  return (
    <FormDialog
      title={`轮换密钥：${row.name}`}
      submitText="生成新密钥"
      of={ROTATION}
      send={async form => {
        const { token } = await keysApi.rotate({ id: row.id, ...form })
        given = { name: row.name, token, isNew: false }
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
            生成新密钥，权限、地址和到期日不变。旧密钥继续有效一段时间，方便逐个更换程序。
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
