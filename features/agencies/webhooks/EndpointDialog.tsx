import { type ChangeTopic, TOPIC_KEYS, TOPICS } from '#features/shops/pos-changes/rules.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { toast } from '#web/controls/toast.ts'
import { Check } from '#web/form/Check.tsx'
import { Field, FormGrid } from '#web/form/Field.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { EndpointRow, webhooks } from './contract.ts'
import { ENDPOINT, ENDPOINT_FIELDS } from './fields.ts'
import { WEBHOOK_REFUSALS } from './rules.ts'
import type { GivenSecret } from './SecretDialog.tsx'
import styles from './webhooks.module.css'

const webhooksApi = api<typeof webhooks>('webhooks')

type Props = { row: EndpointRow | null; onClose: () => void; onGiven: (given: GivenSecret) => void }

/** Where changes are sent, and which. */
export default function EndpointDialog({ row, onClose, onGiven }: Props) {
  let given: GivenSecret | null = null
  return (
    <FormDialog
      title={row ? '编辑接收地址' : '新建接收地址'}
      submitText={row ? '保存' : '新建并生成密钥'}
      width={600}
      of={ENDPOINT}
      known={row}
      more={{ topics: (row?.topics ?? TOPIC_KEYS) as readonly ChangeTopic[] }}
      refuse={({ topics }) =>
        topics.length === 0 ? { field: 'topics', message: WEBHOOK_REFUSALS.TOPICS_REQUIRED } : null
      }
      send={async ({ url, topics }) => {
        const form = { url, topics: [...topics] }
        if (row) {
          await webhooksApi.edit({ id: row.id, ...form })
          toast.success('修改成功')
        } else given = { url: form.url, secret: (await webhooksApi.add(form)).secret, isNew: true }
        await reread()
      }}
      onDone={() => {
        if (given) onGiven(given)
        else onClose()
      }}
      onClose={onClose}
    >
      {form => (
        <FormGrid>
          <FormFields form={form} />
          <Field form={form} name="topics" label={ENDPOINT_FIELDS.topicText.label} required group wide>
            {control => (
              <div id={control.id} className={styles.topics}>
                <span className={styles.all}>
                  <Button kind="link" onClick={() => form.change({ topics: TOPIC_KEYS })}>
                    全选
                  </Button>
                  <Button kind="link" onClick={() => form.change({ topics: [] })}>
                    全不选
                  </Button>
                </span>
                {TOPIC_KEYS.map(key => (
                  <Check
                    key={key}
                    checked={form.draft.topics.includes(key)}
                    onChange={checked => {
                      const others = form.draft.topics.filter(one => one !== key)
                      form.change({ topics: checked ? [...others, key] : others })
                    }}
                    note={key}
                  >
                    {TOPICS[key]}
                  </Check>
                ))}
              </div>
            )}
          </Field>
        </FormGrid>
      )}
    </FormDialog>
  )
}
