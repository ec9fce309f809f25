// What its features add to pages of earlier ones. A feature that fills a slot is a line here.
import { fillSlots as demands } from './demands/slots-filled.tsx'

export function fillSlots(): void {
  for (const fill of [demands]) fill()
}
