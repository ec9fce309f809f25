// The one maker of a work order's rows beside its operations, for demo and tests: what is not given is made up.
// Must never read a clock.
import { dueAfter, pressingAt, WORK_ORDER_HOURS } from './rules.ts'
import type { workOrderMessages, workOrders } from './tables.ts'

type Order = typeof workOrders.$inferInsert
type Message = typeof workOrderMessages.$inferInsert

/** A new one that nobody has looked at. */
export function workOrderRow(given: Partial<Order> & Pick<Order, 'agentId' | 'createdAt'>): Order {
  const { createdAt } = given
  const urgency = given.urgency ?? 'normal'
  const row = {
    ...({ kind: 'fault', title: '打印机离线', state: 'new', createdBy: 0, createdByName: '王小明' } as const),
    urgency,
    dueAt: dueAfter(createdAt, WORK_ORDER_HOURS[urgency].initial),
    lastText: given.title ?? '打印机离线',
    lastAt: createdAt,
    words: given.title ?? '打印机离线',
    ...given,
  }
  return { pressingAt: pressingAt(row), ...row }
}

export function workOrderMessageRow(
  given: Partial<Message> & Pick<Message, 'agentId' | 'workOrderId' | 'createdAt'>,
): Message {
  return { side: 'partner', text: '换了网线也不行', authorId: 0, authorName: '王小明', ...given }
}
