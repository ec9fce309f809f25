import { lazy, useState } from 'react'
import { Suspense } from '#web/controls/Suspense.tsx'

const PaymentDialog = lazy(() => import('./PaymentDialog.tsx'))

export const NO_PAYMENT = '没有对应的支付单'

/** The payment that is open over a list, and a row's way to it: null where the row fits none. */
export function useOpenedPayment() {
  const [opened, open] = useState<string | null>(null)
  return {
    opened,
    open,
    actionOf: (id: string | null) => ({
      key: 'payment',
      label: '支付单',
      reads: true,
      disabled: id === null ? NO_PAYMENT : null,
      onClick: () => open(id),
    }),
    dialog: (
      <Suspense>{opened !== null && <PaymentDialog id={opened} onClose={() => open(null)} />}</Suspense>
    ),
  }
}
