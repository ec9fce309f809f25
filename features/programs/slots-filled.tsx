// What its features add to pages of earlier ones. A feature that fills a slot is a line here.
export { fillSlots } from './program-versions/slots-filled.tsx'
