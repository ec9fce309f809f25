import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { In, Out } from '#kit/declare/op.ts'
import { api, newKey, refusalOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import type { Broken } from '#web/form/useForm.ts'
import type { selling } from './contract.ts'

const sellingApi = api<typeof selling>('selling')

type Form = In<typeof selling.quote>
/** A priced form that waits for its confirm. The key makes a repeated confirm the same confirm. */
type Offer = { form: Form; quote: Out<typeof selling.quote>; key: string; stale: boolean; lost: boolean }

/** Quote, then confirm. `onRefused` gets a refusal that belongs to a field of the form. */
export function useSale(handlers: {
  onRefused: (broken: Broken) => void
  onSold: (merchantId: number) => void
}) {
  const [offer, setOffer] = useState<Offer | null>(null)

  const giveBack = (error: unknown) => {
    const refusal = refusalOf(error)
    if (!refusal) return
    setOffer(null)
    if (refusal.field) handlers.onRefused({ field: refusal.field, message: refusal.message })
    else toast.error(refusal.message)
  }

  const quoting = useMutation({
    mutationFn: ({ form }: { form: Form; stale: boolean }) => sellingApi.quote(form),
    onSuccess: (quote, { form, stale }) => setOffer({ form, quote, key: newKey(), stale, lost: false }),
    onError: giveBack,
  })

  const adding = useMutation({
    mutationFn: ({ quote, key }: Offer) =>
      sellingApi.add({ orderNo: quote.orderNo }, { idempotencyKey: key }),
    onSuccess: async added => {
      toast.success('新增成功')
      await reread()
      handlers.onSold(added.id)
    },
    onError: (error, failed) => {
      const refusal = refusalOf(error)
      if (!refusal || refusal.code === 'BUSY') return setOffer({ ...failed, lost: true })
      const outdated = refusal.code === 'QUOTE_STALE' || refusal.code === 'INSUFFICIENT'
      if (!outdated && refusal.code !== 'SMS_INSUFFICIENT') return giveBack(error)
      readAgain('ledger')
      // The new quote shows what the refusal is about: the other price, or what is missing.
      toast.warning(refusal.message)
      quoting.mutate({ form: failed.form, stale: refusal.code === 'QUOTE_STALE' })
    },
  })

  return {
    offer,
    quoting: quoting.isPending,
    adding: adding.isPending || (quoting.isPending && offer !== null),
    ask: (form: Form) => {
      if (!quoting.isPending) quoting.mutate({ form, stale: false })
    },
    confirm: () => {
      if (offer && !adding.isPending) adding.mutate(offer)
    },
    cancel: () => {
      setOffer(null)
      toast.info('已取消购买')
    },
  }
}
