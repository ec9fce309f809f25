import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { api, messageOf } from '#web/client/api.ts'
import { readAgain } from '#web/client/reread.ts'
import type { payments } from './contract.ts'
import { LIMITS } from './rules.ts'

const paymentsApi = api<typeof payments>('payments')

export type ShownPayment = Out<typeof payments.startSms>
export type PaymentState =
  | { name: 'waiting'; redrawing: boolean }
  | { name: 'paid' }
  | { name: 'over'; message: string }

/** How a payment stands, asked again and again until it is paid or over; also while nobody looks. */
export function useResult(queryId: string, everyMs: number) {
  return useQuery({
    ...paymentsApi.result.query({ queryId }),
    refetchInterval: query => (query.state.data && query.state.data.action !== 0 ? false : everyMs),
    refetchIntervalInBackground: true,
    staleTime: 0,
    retry: false,
  })
}

/**
 * Follows one payment as D1 §4 has it: asks every 1.5 s; when the QR's 30 s are over it is drawn anew 300 ms later, for the
 * same payment; ends when it is paid, refused or past its 600 s.
 */
export function usePayment(started: ShownPayment, onPaid: () => void) {
  const [shown, setShown] = useState(started)
  const [redrawing, setRedrawing] = useState(false)
  const [drawings, setDrawings] = useState(0)
  const told = useResult(shown.queryId, LIMITS.pollEveryMs)
  const isPaid = told.data?.action === 1
  const isOver = told.data?.action === -1
  const refresh = useMutation({
    mutationFn: () => paymentsApi.refresh({ queryId: shown.queryId }),
    onSuccess: setShown,
    onSettled: () => {
      setRedrawing(false)
      setDrawings(count => count + 1)
    },
  })
  const redraw = useEffectEvent(() => {
    setRedrawing(true)
    return setTimeout(() => refresh.mutate(), LIMITS.redrawAfterMs)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each drawing, also one that failed, has a next.
  useEffect(() => {
    if (isPaid || isOver) return
    let soon: ReturnType<typeof setTimeout> | undefined
    const timer = setTimeout(() => {
      soon = redraw()
    }, shown.expired * 1_000)
    return () => {
      clearTimeout(timer)
      clearTimeout(soon)
    }
  }, [drawings, isPaid, isOver])
  const paid = useEffectEvent(onPaid)
  useEffect(() => {
    if (!isPaid) return
    readAgain('ledger', 'sms', 'smsDesk', 'payments.offer', 'dashboard')
    paid()
  }, [isPaid])
  const state: PaymentState = isPaid
    ? { name: 'paid' }
    : isOver
      ? { name: 'over', message: told.data?.msg ?? '' }
      : { name: 'waiting', redrawing }
  return {
    shown,
    state,
    /** The channel's own code where one channel alone is offered and has answered. */
    codeUrl: shown.codeUrl ?? told.data?.codeUrl ?? null,
    /** Why the last question got no answer; it is asked again. */
    problem: told.isError ? messageOf(told.error) : null,
  }
}
