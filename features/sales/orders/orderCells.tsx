// How orders of shops are drawn where a cell is more than its field, and the choices of the version orders' filters.
import { useQuery } from '@tanstack/react-query'
import { DOCUMENT_CELLS } from '#features/money/ledger/documentCells.tsx'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { SHOP_OPTIONS } from '#features/shops/merchants/MerchantOptions.tsx'
import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import { look } from '#web/controls/look.ts'
import { useListParams } from '#web/list/useListParams.ts'
import type { orders } from './contract.ts'
import { VERSION_ORDERS } from './fields.ts'

const ordersApi = api<typeof orders>('orders')

export type Row = Out<typeof orders.list>['rows'][number]
type OfShop = { merchantId: number | null; shopName: string | null }

/** The shop's name, or why there is none: no shop, or it is another agent's by now. */
export function shopText({ merchantId, shopName }: OfShop, withoutShop = '—'): string {
  return shopName ?? (merchantId === null ? withoutShop : '已转至其他服务商')
}

/** `withoutShop`: what stands where the order is of no shop. */
export const shopCell = (withoutShop?: string) => (row: OfShop) =>
  row.shopName ?? <span className={look.quiet}>{shopText(row, withoutShop)}</span>

export const ORDER_CELLS = { ...DOCUMENT_CELLS, shopName: shopCell() }

export const ORDER_OPTIONS = {
  versionId: SHOP_OPTIONS.versionId,
  /** People of the chosen agent where vendor staff look at one. */
  actorId: {
    useRows: (enabled: boolean) => {
      const [{ agentId }] = useListParams(VERSION_ORDERS)
      const asked = agentId === undefined ? {} : { agentId }
      return useQuery({
        ...ordersApi.actors.query(asked),
        enabled,
      }).data?.rows
    },
  },
  agentId: AGENT_OPTIONS,
}
