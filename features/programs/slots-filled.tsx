// What its features add to pages of earlier ones. A feature that fills a slot is a line here.
import { fillSlots as programProfile } from './program-profile/slots-filled.tsx'
import { fillSlots as programVersions } from './program-versions/slots-filled.tsx'
import { fillSlots as releaseTrains } from './release-trains/slots-filled.tsx'

export function fillSlots(): void {
  for (const fill of [programProfile, programVersions, releaseTrains]) fill()
}
