import { lazy, useState } from 'react'
import type { RemindedShop, Reminders } from '#features/shops/merchants/slots.tsx'
import {
  REMINDER_HOURS,
  REMINDER_LIMITS,
  REMINDER_REFUSALS,
  refuseReminder,
} from '#features/shops/messages/rules.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'

const ReminderDialog = lazy(() => import('./ReminderDialog.tsx'))

/** Renewal reminders from a list of shops, one or many (D2 §2 screen 4, §6). `bulkLabel` names the button for many. */
export function useShopReminders(bulkLabel: string): Reminders {
  const allowed = usePermission('messageDesk.remind')
  const [asked, setAsked] = useState<{ shops: readonly RemindedShop[]; onSent: () => void } | null>(null)
  if (!allowed) return { actionsOf: () => [], bulk: undefined, dialog: null }
  return {
    actionsOf: shop => {
      const refusal = refuseReminder(shop, null, new Date(), REMINDER_HOURS.initial)
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
      <Button changes disabled={refuseBulk(shops)} onClick={() => setAsked({ shops, onSent: clear })}>
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

function refuseBulk(shops: readonly RemindedShop[]): string | null {
  return shops.length > REMINDER_LIMITS.shops ? `一次最多提醒 ${REMINDER_LIMITS.shops} 家` : null
}
