import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { picturesOn, type ReceiptContent } from '#kit/print/receipt.ts'
import type { Logos } from '#kit/print/receipt-scene.ts'
import { receiptsApi } from './receiptsApi.tsx'

const NONE: Logos = new Map()

/** The dots of its logos, as they are printed; null until they are here. One that does not come is drawn as none. */
export function useLogos(content: ReceiptContent): Logos | null {
  const ids = picturesOn(content).join()
  const { data, isPending } = useQuery({
    ...receiptsApi.logos.query({ ids }),
    enabled: ids !== '',
    // The file of an id is never another.
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: known => known,
  })
  return useMemo(() => {
    if (ids === '') return NONE
    if (!data) return isPending ? null : NONE
    return new Map(
      data.rows.map(({ id, width, height, base64 }) => [
        id,
        { width, height, rows: Uint8Array.from(atob(base64), character => character.charCodeAt(0)) },
      ]),
    )
  }, [ids, data, isPending])
}
