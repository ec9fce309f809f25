// Hardware that is to be sent, for the vendor's staff, and that has been, for whoever ordered it.
import { and, eq, inArray, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { formatCents } from '#kit/money.ts'
import type { Ctx, InboxSource } from '#server/ctx.ts'
import { type InboxShown, isWord } from '#server/office/inbox.ts'
import type { DeliveryStatus } from './rules.ts'
import { hardwareOrders as orders } from './tables.ts'

async function shown(ctx: Ctx, ids: readonly number[], status: DeliveryStatus): Promise<InboxShown[]> {
  const rows = await ctx.db
    .select({
      id: orders.id,
      orderNo: orders.orderNo,
      contactName: orders.contactName,
      totalCents: orders.totalCents,
      carrier: orders.carrier,
      trackingNo: orders.trackingNo,
      agentId: orders.agentId,
      agentName: agents.companyName,
    })
    .from(orders)
    .innerJoin(agents, eq(agents.id, orders.agentId))
    .where(inArray(orders.id, [...ids]))
  return rows.map(({ id, orderNo, contactName, totalCents, carrier, trackingNo, agentId, agentName }) => ({
    id,
    title: `硬件订单 ${orderNo}`,
    detail: [`${formatCents(totalCents)} 代币`, contactName, `${carrier} ${trackingNo}`.trim()]
      .filter(Boolean)
      .join('，'),
    merchantId: null,
    shopName: '',
    agentId,
    agentName,
    about: orderNo,
    link: `/admin/order/hardwareOrder?status=${status}&orderNo=${orderNo}`,
  }))
}

export const inbox: readonly InboxSource[] = [
  {
    key: 'hardware.ship',
    label: '硬件发货',
    isMoney: true,
    permission: 'hardware.ship',
    for: 'staff',
    table: orders,
    id: orders.id,
    since: orders.createdAt,
    waits: ({ own }) => and(own(orders.agentId), isWord(orders.deliveryStatus, 'awaitingShipment')),
    shown: (ctx, ids) => shown(ctx, ids, 'awaitingShipment'),
  },
  {
    key: 'hardware.receive',
    label: '硬件收货',
    permission: 'hardware.orders',
    decides: 'hardware.receive',
    for: 'partner',
    table: orders,
    id: orders.id,
    since: sql`coalesce(${orders.shippedAt}, ${orders.createdAt})`,
    waits: ({ own }) => and(own(orders.agentId), isWord(orders.deliveryStatus, 'shipped')),
    shown: (ctx, ids) => shown(ctx, ids, 'shipped'),
  },
]
