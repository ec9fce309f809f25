// What its features add to pages of earlier ones. A feature that fills a slot is a line here.
import { fillSlots as compatAccess } from './compat-access/slots-filled.tsx'

export function fillSlots(): void {
  for (const fill of [compatAccess]) fill()
}
