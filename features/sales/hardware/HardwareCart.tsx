// Owns the cart as the page knows it: changes are shown at once, sent one after the other, and taken back when refused.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FULL } from '#features/office/prices/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { api, refusalOf } from '#web/client/api.ts'
import { readAgain } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import type { hardware } from './contract.ts'
import { ORDER_REFUSALS, priceOf, REFUSALS, refuseLine } from './rules.ts'

const hardwareApi = api<typeof hardware>('hardware')

export type Cart = Out<typeof hardware.cart>
export type CartLine = Cart['rows'][number]
export type ShopProduct = Out<typeof hardware.products>['rows'][number]

export const CART_KEY = ['hardware', 'cart'] as const
const CHANGES = ['hardware', 'setCartLine'] as const

export function cartQuery() {
  return { queryKey: CART_KEY, queryFn: () => hardwareApi.cart() }
}

export function useCart() {
  const queries = useQueryClient()
  const cart = useQuery(cartQuery())
  const change = useMutation({
    mutationKey: CHANGES,
    // One after the other: the last number that was set is the one that stays.
    scope: { id: CHANGES.join('.') },
    mutationFn: ({ line, quantity }: { line: CartLine; quantity: number }) =>
      hardwareApi.setCartLine({ productId: line.productId, quantity }),
    onMutate: async ({ line, quantity }) => {
      await queries.cancelQueries({ queryKey: CART_KEY })
      queries.setQueryData<Cart>(CART_KEY, known => known && withLine(known, line, quantity))
    },
    onError: error => {
      const refusal = refusalOf(error)
      if (refusal) toast.error(refusal.message)
    },
    onSettled: () => {
      // Earlier answers would show a number that has been changed again.
      if (queries.isMutating({ mutationKey: CHANGES }) > 1) return
      readAgain('hardware')
    },
  })
  return {
    query: cart,
    set: (line: CartLine, quantity: number) => change.mutate({ line, quantity }),
    add: (product: ShopProduct) =>
      change.mutate({ line: { ...product, productId: product.id, enabled: true, quantity: 0 }, quantity: 1 }),
  }
}

function withLine(cart: Cart, line: CartLine, quantity: number): Cart {
  const known = cart.rows.some(row => row.productId === line.productId)
  const rows = known ? cart.rows : [...cart.rows, line]
  return {
    ...cart,
    rows: rows
      .map(row => (row.productId === line.productId ? { ...row, quantity } : row))
      .filter(row => row.quantity > 0),
  }
}

export type Bill = {
  /** At list prices. */
  originalCents: number
  totalCents: number
  discountBasisPoints: number
  /** The names of the offers that applied. */
  offers: readonly string[]
}

/** What the lines cost together, and why. */
export function billOf(rows: readonly CartLine[]): Bill {
  const priced = rows.map(row => priceOf(row, row.quantity))
  return {
    originalCents: priced.reduce((sum, { originalCents }) => sum + originalCents, 0),
    totalCents: priced.reduce((sum, { totalCents }) => sum + totalCents, 0),
    discountBasisPoints: rows[0]?.discountBasisPoints ?? FULL,
    offers: [...new Set(priced.flatMap(({ offer }) => offer ?? []))],
  }
}

/** Why this line cannot be ordered, in words. */
export function lineRefusal(line: CartLine): string | null {
  const code = refuseLine(line, line.quantity)
  return code && REFUSALS[code]
}

/** Why the cart cannot be ordered now, in words. */
export function cartRefusal(cart: Cart): string | null {
  if (cart.rows.length === 0) return ORDER_REFUSALS.CART_EMPTY
  for (const line of cart.rows) {
    const refusal = lineRefusal(line)
    if (refusal) return `${line.name}：${refusal}`
  }
  return billOf(cart.rows).totalCents > cart.balanceCents ? '账户余额不足' : null
}
