import { PaymentApplicationFact } from '#features/shops/merchants/slots.tsx'
import { Link } from '#web/controls/Link.tsx'
import { Permit } from '#web/controls/Permit.tsx'

export function fillSlots(): void {
  PaymentApplicationFact.fill(({ merchant }) => (
    <Permit permission="paymentApplications.edit">
      <Link to="/admin/schedule/submitPayment" search={{ user_id: merchant.id }}>
        支付申请
      </Link>
    </Permit>
  ))
}
