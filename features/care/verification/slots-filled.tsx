import { lazy, useState } from 'react'
import * as slots from '#features/shops/merchants/slots.tsx'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Permit } from '#web/controls/Permit.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'

const VerificationDialog = lazy(() => import('./VerificationDialog.tsx'))

function useVerificationData() {
  const maySee = usePermission('verification.view')
  const [shown, setShown] = useState<slots.IdentifiedShop | null>(null)
  return {
    actionsOf: (shop: slots.IdentifiedShop) =>
      maySee
        ? [{ key: 'verification', label: '实名资料', reads: true as const, onClick: () => setShown(shop) }]
        : [],
    dialog: shown && (
      <Suspense>
        <VerificationDialog
          merchantId={shown.id}
          requestId={shown.requestId ?? null}
          onClose={() => setShown(null)}
        />
      </Suspense>
    ),
  }
}

function VerificationFact({ merchant }: { merchant: { id: number; shopName: string } }) {
  const data = useVerificationData()
  return (
    <Permit permission="verification.view">
      {data.actionsOf(merchant).map(({ key, label, onClick }) => (
        <Button key={key} kind="link" onClick={onClick}>
          {label}
        </Button>
      ))}
      {data.dialog}
    </Permit>
  )
}

export function fillSlots(): void {
  slots.useVerificationData.fill(useVerificationData)
  slots.VerificationFact.fill(VerificationFact)
}
