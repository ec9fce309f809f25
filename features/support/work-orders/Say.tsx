import { answerFor } from '#features/care/threads/rules.ts'
import { useSession } from '#web/client/session.ts'
import { MessageForm } from '#web/talk/MessageForm.tsx'
import { refuseMore, SAY_REFUSALS, WORK_ORDER_PICTURE, WORK_ORDER_PICTURE_KB } from './rules.ts'
import { type ShownOrder, workOrdersApi } from './workOrdersApi.tsx'

type Props = { order: ShownOrder; onTyping: () => void }

/** What is said next: by the vendor's staff to the partner or among themselves, by the partner to the vendor. */
export function Say({ order, onTyping }: Props) {
  const { isVendorStaff, name: me } = useSession()
  const { id, revision } = order
  const over = refuseMore(order.state)
  const shared = {
    over: over && SAY_REFUSALS[over],
    pictures: { purpose: WORK_ORDER_PICTURE, most: WORK_ORDER_PICTURE_KB },
    onTyping,
    stale: 'workOrders',
  }
  if (!isVendorStaff)
    return (
      <MessageForm
        {...shared}
        words={{ reply: '回复厂商', placeholder: '请输入回复内容', refusals: SAY_REFUSALS }}
        reply={(said, idempotencyKey) => workOrdersApi.say({ id, ...said }, { idempotencyKey })}
      />
    )
  const values = { shop: order.shopName || order.agentName, person: order.createdByName, me }
  return (
    <MessageForm
      {...shared}
      words={{ reply: '回复代理商', placeholder: '请输入回复内容', refusals: SAY_REFUSALS }}
      reply={(said, idempotencyKey) => workOrdersApi.answer({ id, ...said, revision }, { idempotencyKey })}
      note={(text, idempotencyKey) => workOrdersApi.note({ id, text }, { idempotencyKey })}
      answers={{ query: workOrdersApi.answers.query(), filled: text => answerFor(text, values) }}
    />
  )
}
