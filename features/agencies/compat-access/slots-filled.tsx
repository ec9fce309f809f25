import { OtherDoors } from '#features/agencies/sign-in/slots.tsx'
import { CompatSection } from './CompatSection.tsx'

export function fillSlots(): void {
  OtherDoors.fill(CompatSection)
}
