import { lazy, useState } from 'react'
import { OwnerInvitation } from '#features/acquiring/payment-applications/slots.tsx'
import { OwnerPapersFact } from '#features/shops/merchants/slots.tsx'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'

const OwnerPapersDrawer = lazy(() => import('./OwnerPapersDrawer.tsx'))

type Props = { merchantId: number; label: string; onTaken?: () => void }

/** Opens it over the page that asks for it. */
function Opener({ merchantId, label, onTaken }: Props) {
  const mayView = usePermission('ownerPapers.view')
  const [isOpen, setOpen] = useState(false)
  if (!mayView) return null
  return (
    <>
      <Button kind="link" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Suspense>
        {isOpen && (
          <OwnerPapersDrawer merchantId={merchantId} onTaken={onTaken} onClose={() => setOpen(false)} />
        )}
      </Suspense>
    </>
  )
}

export function fillSlots(): void {
  OwnerPapersFact.fill(({ merchant }) => <Opener merchantId={merchant.id} label="店主资料" />)
  OwnerInvitation.fill(props => <Opener {...props} label="请店主自己填" />)
}
