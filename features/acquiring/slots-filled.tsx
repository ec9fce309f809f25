// What its features add to pages of earlier ones. A feature that fills a slot is a line here.
import { fillSlots as onboardings } from './onboardings/slots-filled.tsx'

export function fillSlots(): void {
  for (const fill of [onboardings]) fill()
}
