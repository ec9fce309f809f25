import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Button } from '#web/Button.tsx'
import type { RowAction } from '#web/list/ListPage.tsx'
import { usePermission } from '#web/session.ts'
import { REMINDER_LIMITS, REMINDER_REFUSALS, type Remindable, refuseReminder } from './rules.ts'

const ReminderDialog = lazy(() => import('./ReminderDialog.tsx'))

export type Shop = Remindable & { id: number; shopName: string; versionName: string }

type Reminders = {
  /** The action of one row; none for who may not remind. */
  actionsOf: (shop: Shop) => RowAction[]
  /** For ListPage's `bulk`; undefined for who may not remind. */
  bulk: ((shops: readonly Shop[], clear: () => void) => ReactNode) | undefined
  dialog: ReactNode
}

/** Renewal reminders from a list of shops, one or many (D2 §2 screen 4, §6). `bulkLabel` names the button for many. */
export function useReminders(bulkLabel: string): Reminders {
  const allowed = usePermission('messages.remind')
  const [asked, setAsked] = useState<{ shops: readonly Shop[]; onSent: () => void } | null>(null)
  if (!allowed) return { actionsOf: () => [], bulk: undefined, dialog: null }
  return {
    actionsOf: shop => {
      const refusal = refuseReminder(shop, null, new Date())
      return [
        {
          key: 'remind',
          label: '提醒',
          onClick: () => setAsked({ shops: [shop], onSent: () => undefined }),
          disabled: refusal && REMINDER_REFUSALS[refusal],
        },
      ]
    },
    bulk: (shops, clear) => (
      <Button disabled={refuseBulk(shops)} onClick={() => setAsked({ shops, onSent: clear })}>
        {bulkLabel}
      </Button>
    ),
    dialog: asked && (
      <Suspense>
        <ReminderDialog {...asked} onClose={() => setAsked(null)} />
      </Suspense>
    ),
  }
}

function refuseBulk(shops: readonly Shop[]): string | null {
  return shops.length > REMINDER_LIMITS.shops ? `一次最多提醒 ${REMINDER_LIMITS.shops} 家` : null
}
