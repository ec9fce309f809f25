import { Money } from '#web/controls/format.tsx'

/** What was paid or went back, in its own unit: packages cost tokens, a recharge costs yuan, the rest nothing. */
export function Paid({ totalCents, rechargeFen }: { totalCents: number | null; rechargeFen: number | null }) {
  if (rechargeFen !== null)
    return (
      <>
        <Money cents={rechargeFen} /> 元
      </>
    )
  if (totalCents === null) return '—'
  return (
    <>
      <Money cents={totalCents} /> 代币
    </>
  )
}
