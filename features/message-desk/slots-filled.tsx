import { useReminders } from '#features/merchants/slots.tsx'
import { useShopReminders } from './Reminders.tsx'

export function fillSlots(): void {
  useReminders.fill(useShopReminders)
}
