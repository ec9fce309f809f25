import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { api, newKey, refusalOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import type { services } from './contract.ts'
import { type Asked, holdingAfter, priceOf, type ServicePrice } from './rules.ts'

const servicesApi = api<typeof services>('services')

export type OfferPage = Out<typeof services.ofMerchant>
export type Offer = OfferPage['groups'][number]['services'][number]
/** Years or pieces by the service's id. */
export type Chosen = Readonly<Record<number, number>>

export type Line = { offer: Offer; asked: Asked; price: ServicePrice; after: ReturnType<typeof holdingAfter> }
export type Sum = {
  lines: Line[]
  originalCents: number
  totalCents: number
  missingCents: number
  offers: string
}

/** What was chosen, priced by the server's own rule. */
export function sumOf(page: OfferPage, chosen: Chosen): Sum {
  const lines = page.groups
    .flatMap(group => group.services)
    .filter(offer => (chosen[offer.id] ?? 0) > 0 && offer.refusal === null)
    .map(offer => {
      const count = chosen[offer.id] ?? 0
      const asked = offer.unit === 'year' ? { quantity: 1, years: count } : { quantity: count, years: 1 }
      const price = priceOf(offer, asked, page.discountBasisPoints)
      return { offer, asked, price, after: holdingAfter(offer, asked, offer, page.now) }
    })
  const totalCents = lines.reduce((sum, line) => sum + line.price.totalCents, 0)
  return {
    lines,
    originalCents: lines.reduce((sum, line) => sum + line.price.originalCents, 0),
    totalCents,
    missingCents: Math.max(0, totalCents - page.balanceCents),
    offers: [...new Set(lines.flatMap(line => line.price.offer ?? []))].join('、'),
  }
}

/** A purchase that waits for its confirm. The key makes a repeated confirm the same purchase. */
export type Pending = { key: string; stale: boolean; lost: boolean }

/** Confirm, then buy; refusals that a fresh price answers are shown in the same dialog. */
export function useServiceSale(merchantId: number, onBought: () => void) {
  const [pending, setPending] = useState<Pending | null>(null)
  // A second press comes before the first one's state is drawn.
  const pressed = useRef(false)
  const buying = useMutation({
    mutationFn: ({ sum, remark, key }: { sum: Sum; remark: string; key: string }) =>
      servicesApi.buy(
        {
          merchantId,
          items: sum.lines.map(({ offer, asked }) => ({ serviceId: offer.id, ...asked })),
          remark,
          totalCents: sum.totalCents,
        },
        { idempotencyKey: key },
      ),
    onSuccess: async () => {
      toast.success('购买成功')
      setPending(null)
      onBought()
      await reread()
    },
    onError: async (error, { key }) => {
      const refusal = refusalOf(error)
      if (!refusal || refusal.code === 'BUSY') return setPending({ key, stale: false, lost: true })
      const isOutdated = refusal.code === 'PRICE_CHANGED' || refusal.code === 'INSUFFICIENT'
      if (isOutdated) toast.warning(refusal.message)
      else toast.error(refusal.message)
      readAgain('services', 'ledger')
      await reread()
      setPending(isOutdated ? { key: newKey(), stale: refusal.code === 'PRICE_CHANGED', lost: false } : null)
    },
    onSettled: () => {
      pressed.current = false
    },
  })
  return {
    pending,
    busy: buying.isPending,
    ask: () => setPending({ key: newKey(), stale: false, lost: false }),
    cancel: () => {
      setPending(null)
      toast.info('已取消购买')
    },
    confirm: (sum: Sum, remark: string) => {
      if (!pending || pressed.current) return
      pressed.current = true
      buying.mutate({ sum, remark, key: pending.key })
    },
  }
}
