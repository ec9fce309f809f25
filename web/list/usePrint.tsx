import { useLocation, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { PRINT_HASH } from '#kit/declare/pages.ts'
import { formatCount } from '#kit/money.ts'
import { messageOf } from '../client/api.ts'
import { toast } from '../controls/toast.ts'
import { useKeys } from '../keys/keys.ts'

/** More rows are a matter for a file. */
export const PRINT_MAX = 1_000
const PAGE = 100

export type Answer<Row> = { rows: Row[]; total: number; totalCapped: boolean }
export type Printed<Row> = Answer<Row> & {
  conditions: string
  /** As they stand above the list. */
  totals: ReactNode
  at: Date
}

type Given<Row, One extends Answer<Row>> = {
  ask: (page: number, size: number) => Promise<One>
  conditions: string
  totals?: (answer: One) => ReactNode
  /** Whether its rows are there: an address that asks for paper waits for them. */
  isShown: boolean
}

/** Prints what is filtered, in the list's order: all rows are asked for first, which the browser's own command could not do. */
export function usePrint<Row, One extends Answer<Row>>({
  ask,
  conditions,
  totals,
  isShown,
}: Given<Row, One>) {
  const [printed, setPrinted] = useState<Printed<Row> | null>(null)
  const [busy, setBusy] = useState(false)
  const start = async () => {
    if (busy) return
    setBusy(true)
    try {
      const first = await ask(1, PAGE)
      const rows = [...first.rows]
      for (let page = 2; rows.length < Math.min(first.total, PRINT_MAX); page++) {
        const next = await ask(page, PAGE)
        if (next.rows.length === 0) break
        rows.push(...next.rows)
      }
      if (first.total > PRINT_MAX) toast.info(`仅打印前 ${formatCount(PRINT_MAX)} 条，如需全部请导出`)
      setPrinted({
        ...first,
        rows,
        conditions,
        totals: totals?.(first),
        at: new Date(),
      })
    } catch (error) {
      toast.error(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  useKeys('列表', [
    {
      press: 'Ctrl+p',
      does: '打印列表',
      everywhere: true,
      act: event => {
        // What is open over the list is printed by itself.
        if (document.querySelector('dialog[open]')) return
        event.preventDefault()
        void start()
      },
    },
  ])
  const isAsked = useLocation({ select: ({ hash }) => hash === PRINT_HASH })
  const navigate = useNavigate()
  const printAsked = useEffectEvent(() => {
    // Once: a reload, or the way back, shows the list alone.
    void navigate({ to: '.', search: true, hash: '', replace: true })
    void start()
  })
  useEffect(() => {
    if (isAsked && isShown) printAsked()
  }, [isAsked, isShown])
  useEffect(() => {
    if (!printed) return
    const end = () => setPrinted(null)
    addEventListener('afterprint', end)
    print()
    return () => removeEventListener('afterprint', end)
  }, [printed])
  return { start: () => void start(), busy, printed }
}
