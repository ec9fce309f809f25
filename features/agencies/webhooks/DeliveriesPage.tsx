import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { api, messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { List } from '#web/list/List.tsx'
import type { DeliveryRow, webhooks } from './contract.ts'
import { DELIVERIES } from './fields.ts'
import { WEBHOOK_REFUSALS } from './rules.ts'
import styles from './webhooks.module.css'

const webhooksApi = api<typeof webhooks>('webhooks')
const DeliveryDialog = lazy(() => import('./DeliveryDialog.tsx'))

const ENDPOINT_OPTIONS = {
  useRows: (wanted: boolean) => useQuery({ ...webhooksApi.options.query(), enabled: wanted }).data?.rows,
}

/** What was sent, and what came of it. */
export default function DeliveriesPage() {
  const mayEdit = usePermission('webhooks.edit')
  const [open, setOpen] = useState<DeliveryRow | null>(null)
  const refused = ({ enabled, state }: DeliveryRow) =>
    enabled ? (state === 'pending' ? WEBHOOK_REFUSALS.DELIVERY_WAITS : null) : WEBHOOK_REFUSALS.ENDPOINT_OFF
  return (
    <>
      <List
        of={DELIVERIES}
        from={webhooksApi.deliveries}
        options={{ endpointId: ENDPOINT_OPTIONS }}
        cells={{
          httpCode: ({ httpCode, problem }: DeliveryRow) => (
            <span className={styles.answered}>
              {httpCode !== null && <span className={look.number}>{httpCode}</span>}
              {problem !== '' && <span>{problem}</span>}
            </span>
          ),
        }}
        onOpen={setOpen}
        rowActions={row => [
          { key: 'details', label: '查看', reads: true, onClick: () => setOpen(row) },
          ...(mayEdit
            ? [
                {
                  key: 'resend',
                  label: '重新投递',
                  disabled: refused(row),
                  onClick: () => void resend(row),
                },
              ]
            : []),
        ]}
        actionsWidth={144}
      />
      <Suspense>{open && <DeliveryDialog row={open} onClose={() => setOpen(null)} />}</Suspense>
    </>
  )
}

async function resend({ id }: DeliveryRow): Promise<void> {
  try {
    await webhooksApi.resend({ id })
    toast.success('已排队重新投递')
    await reread()
  } catch (error) {
    toast.error(messageOf(error))
  }
}
