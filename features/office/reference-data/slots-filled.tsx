// What lists and uploads ask of the operator's settings.
import { useOfficeLimit } from '#web/shell/limit.ts'
import { useLimit } from './useLimit.tsx'

export function fillSlots(): void {
  useOfficeLimit.fill(useLimit)
}
