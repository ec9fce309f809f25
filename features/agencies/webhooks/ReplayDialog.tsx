import { useLimit } from '#features/office/reference-data/useLimit.tsx'
import { CHANGES_KEPT_DAYS } from '#features/shops/pos-changes/rules.ts'
import { formatCount } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { ExactInstantPicker } from '#web/form/dates/InstantPicker.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { EndpointRow, webhooks } from './contract.ts'
import { REPLAY } from './fields.ts'
import { LIMITS, WEBHOOK_REFUSALS } from './rules.ts'

const webhooksApi = api<typeof webhooks>('webhooks')
const HOUR_MS = 3_600_000

/** Everything since a time once more, for a receiver that has lost some. */
export default function ReplayDialog({ row, onClose }: { row: EndpointRow; onClose: () => void }) {
  const keptDays = useLimit(CHANGES_KEPT_DAYS)
  return (
    <FormDialog
      title="重放变更"
      submitText="重放"
      of={REPLAY}
      known={{ since: new Date(Date.now() - HOUR_MS).toISOString() }}
      refuse={({ since }) =>
        Date.parse(since) > Date.now() ? { field: 'since', message: WEBHOOK_REFUSALS.SINCE_FUTURE } : null
      }
      send={async ({ since }) => {
        const { queued } = await webhooksApi.replay({ id: row.id, since })
        toast.success(`已排队 ${formatCount(queued)} 条`)
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>
            {row.url} 将按原来的顺序再次收到这个时间之后的全部变更，包括停用期间的。一次最多{' '}
            {formatCount(LIMITS.replay)} 条，变更保留 {keptDays} 天。
          </FormNote>
          <FormFields form={form}>
            {{
              since: control => (
                <ExactInstantPicker
                  {...control}
                  value={form.draft.since}
                  onChange={since => form.change({ since })}
                  allowClear={false}
                  placeholder="请选择时间"
                />
              ),
            }}
          </FormFields>
        </>
      )}
    </FormDialog>
  )
}
