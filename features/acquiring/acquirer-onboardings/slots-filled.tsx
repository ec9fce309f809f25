import { AcquirerFact } from '#features/shops/merchants/slots.tsx'
import { Link } from '#web/controls/Link.tsx'
import { Permit } from '#web/controls/Permit.tsx'

export function fillSlots(): void {
  AcquirerFact.fill(({ merchant }) => (
    <Permit permission="acquirerOnboardings.list">
      <Link to="/admin/merchant/acquiring" search={{ search: String(merchant.id) }}>
        收单进件
      </Link>
    </Permit>
  ))
}
