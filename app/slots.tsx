// Fills what pages leave to features after their own. A feature that fills a slot is a line of its district's slots-filled.tsx.
import { fillSlots as acquiring } from '#features/acquiring/slots-filled.tsx'
import { fillSlots as agencies } from '#features/agencies/slots-filled.tsx'
import { fillSlots as care } from '#features/care/slots-filled.tsx'
import { fillSlots as office } from '#features/office/slots-filled.tsx'
import { fillSlots as overview } from '#features/overview/slots-filled.tsx'
import { fillSlots as programs } from '#features/programs/slots-filled.tsx'
import { fillSlots as sales } from '#features/sales/slots-filled.tsx'
import { fillSlots as support } from '#features/support/slots-filled.tsx'

export function fillSlots(): void {
  for (const fill of [office, sales, care, acquiring, programs, support, agencies, overview]) fill()
}
