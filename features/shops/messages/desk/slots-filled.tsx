import { useReminders } from '#features/shops/merchants/slots.tsx'
import { useShopReminders } from './Reminders.tsx'

export function fillSlots(): void {
  useReminders.fill(useShopReminders)
}
