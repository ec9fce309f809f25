import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { api, newKey, refusalOf } from '#web/client/api.ts'
import { readAgain } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import type { Broken } from '#web/form/useForm.ts'
import type { purchases } from './contract.ts'
import type { Form } from './PurchaseDraft.tsx'

const purchasesApi = api<typeof purchases>('purchases')

export type Quote = Out<typeof purchases.quote>
/** A priced form that waits for its confirm. The key makes a repeated confirm the same confirm. */
type Priced = { form: Form; quote: Quote; key: string; stale: boolean; lost: boolean }

/** Quote, then confirm (D2 §4). `onRefused` gets a refusal that belongs to a field of the form. */
export function usePurchase(handlers: { onRefused: (broken: Broken) => void; onBought: () => void }) {
  const [priced, setPriced] = useState<Priced | null>(null)
  // A second press comes before the first one's state is drawn.
  const pressed = useRef(false)

  const giveBack = (error: unknown) => {
    const refusal = refusalOf(error)
    if (!refusal) return
    setPriced(null)
    readAgain('purchases')
    if (refusal.field) handlers.onRefused({ field: refusal.field, message: refusal.message })
    else toast.error(refusal.message)
  }

  const quoting = useMutation({
    mutationFn: ({ form }: { form: Form; stale: boolean }) => purchasesApi.quote(form),
    onSuccess: (quote, { form, stale }) => setPriced({ form, quote, key: newKey(), stale, lost: false }),
    onError: giveBack,
  })

  const buying = useMutation({
    mutationFn: ({ quote, key }: Priced) =>
      purchasesApi.confirm({ orderNo: quote.orderNo }, { idempotencyKey: key }),
    onSuccess: () => {
      toast.success('购买成功！')
      handlers.onBought()
    },
    onError: (error, failed) => {
      const refusal = refusalOf(error)
      if (!refusal || refusal.code === 'BUSY') return setPriced({ ...failed, lost: true })
      if (refusal.code !== 'QUOTE_STALE' && refusal.code !== 'INSUFFICIENT') return giveBack(error)
      readAgain('purchases')
      // The new quote shows what the refusal is about: the other price, or what is missing.
      toast.warning(refusal.message)
      quoting.mutate({ form: failed.form, stale: refusal.code === 'QUOTE_STALE' })
    },
    onSettled: () => {
      pressed.current = false
    },
  })

  return {
    priced,
    quoting: quoting.isPending,
    buying: buying.isPending || (quoting.isPending && priced !== null),
    ask: (form: Form) => {
      if (!quoting.isPending) quoting.mutate({ form, stale: false })
    },
    confirm: () => {
      if (!priced || pressed.current || quoting.isPending) return
      pressed.current = true
      buying.mutate(priced)
    },
    cancel: () => {
      setPriced(null)
      toast.info('已取消购买')
    },
  }
}
