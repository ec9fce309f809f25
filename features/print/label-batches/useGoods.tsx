// The goods of a shop, a page at a time, and which of them are chosen: kept while shops, searches and pages change.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { copiesOf } from '#kit/print/batch/batch-rows.ts'
import type { BatchField } from '#kit/print/batch/fields.ts'
import { contentOfGood } from '#kit/print/batch/goods.ts'
import type { LabelData } from '#kit/print/label.ts'
import { useSession } from '#web/client/session.ts'
import { useListSelection } from '#web/list/useListSelection.ts'
import { batchesApi } from './batch.tsx'
import { keepShop, shopOf } from './batchStore.tsx'

/** `key`: of all shops' goods. */
export type Good = { key: string; data: LabelData }

type Asked = {
  search: string
  category: string
  /** Where each page that was turned to begins, the first one left out. */
  afters: readonly string[]
}
const FIRST: Asked = { search: '', category: '', afters: [] }

const keyOf = ({ key }: Good) => key

export type Goods = ReturnType<typeof useGoods>

export function useGoods() {
  const { accountId } = useSession()
  const [shop, setShop] = useState(() => shopOf(accountId))
  const [asked, setAsked] = useState(FIRST)
  const { search, category, afters } = asked
  const after = afters.at(-1)
  const found = useQuery({
    ...batchesApi.goods.query({ merchantId: shop ?? 0, search, category, ...(after && { after }) }),
    enabled: shop !== null,
    // Of another shop nothing stays in sight.
    placeholderData: before => (before?.shop.id === shop ? before : undefined),
  })
  const page = found.data
  const rows: Good[] = (page?.rows ?? []).map(({ id, data }) => ({
    key: `${page?.shop.id} ${id}`,
    data: { ...page?.shop.data, ...data },
  }))
  return {
    ...{ shop, search, category, found, page, rows, number: afters.length + 1 },
    selection: useListSelection(rows, keyOf, () => null, found.isPlaceholderData),
    setShop(chosen: number | null) {
      if (chosen === shop) return
      if (chosen !== null) keepShop(accountId, chosen)
      setShop(chosen)
      setAsked(FIRST)
    },
    look: (changed: { search?: string; category?: string }) => setAsked({ ...asked, ...changed, afters: [] }),
    /** To the one before or after. */
    turnTo(number: number) {
      if (found.isPlaceholderData) return
      if (number <= afters.length) return setAsked({ ...asked, afters: afters.slice(0, number - 1) })
      const next = page?.next
      if (next) setAsked({ ...asked, afters: [...afters, next] })
    },
    /** Anew from the first page, which may be the one that failed. */
    again() {
      if (afters.length === 0) void found.refetch()
      else setAsked({ ...asked, afters: [] })
    },
  }
}

/** How many of each: all alike unless one has a number of its own. */
export function useCopies() {
  const [all, setAll] = useState('1')
  const [own, setOwn] = useState<Readonly<Record<string, string>>>({})
  const of = ({ key }: Good) => own[key] ?? all
  return {
    ...{ all, setAll, of },
    set: ({ key }: Good, text: string) => setOwn({ ...own, [key]: text }),
    isWrong: (good: Good) => copiesOf(of(good)) === null,
    contents: (goods: readonly Good[], fields: readonly BatchField[], now: Date) =>
      goods.map(good => contentOfGood(fields, good.data, of(good), now)),
  }
}
export type Copies = ReturnType<typeof useCopies>
