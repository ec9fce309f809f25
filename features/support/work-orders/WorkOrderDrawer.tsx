import { useQuery } from '@tanstack/react-query'
import { AgentLink } from '#features/office/agents/AgentLink.tsx'
import { usePermission, useSession, useViewOnly } from '#web/client/session.ts'
import { Instant } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { Messages } from '#web/talk/Messages.tsx'
import { Talk, TalkDrawer } from '#web/talk/Talk.tsx'
import { useMarkRead, usePresence } from '#web/talk/usePresence.ts'
import { Changes } from './Changes.tsx'
import { Due } from './Due.tsx'
import { WORK_ORDER_FIELDS } from './fields.ts'
import { PartnerSteps } from './PartnerSteps.tsx'
import { isRunning, ORDER_KINDS, ORDER_SIDES, ORDER_STATES, SATISFACTION_WORDS, URGENCIES } from './rules.ts'
import { Say } from './Say.tsx'
import { VendorSteps } from './VendorSteps.tsx'
import { type ShownOrder, type WorkOrderDetails, workOrdersApi } from './workOrdersApi.tsx'

/** One work order over the list: what it is about, where it stands, what was done and said, and what is said next. */
export default function WorkOrderDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const asked = useQuery(workOrdersApi.details.query({ id }))
  return (
    <TalkDrawer title={`工单 ${id}`} asked={asked} onClose={onClose}>
      {details => <Opened details={details} onClose={onClose} />}
    </TalkDrawer>
  )
}

type OpenedProps = { details: WorkOrderDetails; onClose: () => void }

function Opened({ details: { order, messages, events }, onClose }: OpenedProps) {
  const viewOnly = useViewOnly()
  const { isVendorStaff } = useSession()
  const { id } = order
  const presence = usePresence({
    silent: viewOnly !== null,
    say: typing => workOrdersApi.here({ id, typing }),
    query: workOrdersApi.presence.query({ id }),
  })
  useMarkRead(order.unread && viewOnly === null, () => workOrdersApi.read({ id }))
  const mayHandle = usePermission('workOrders.handle')
  const mayWrite = usePermission('workOrders.write')
  const ours = isVendorStaff ? 'vendor' : 'partner'
  return (
    <Talk
      title={order.title}
      tags={
        <>
          {order.urgency !== 'normal' && (
            <StatusTag tone={WORK_ORDER_FIELDS.urgency.tones[order.urgency]}>
              {URGENCIES[order.urgency]}
            </StatusTag>
          )}
          <StatusTag tone={WORK_ORDER_FIELDS.state.tones[order.state]}>{ORDER_STATES[order.state]}</StatusTag>
        </>
      }
      presence={presence.text}
      form={(isVendorStaff ? mayHandle : mayWrite) && <Say key={id} order={order} onTyping={presence.type} />}
    >
      <OrderFacts order={order} />
      {isVendorStaff && mayHandle && <VendorSteps order={order} />}
      {!isVendorStaff && mayWrite && <PartnerSteps order={order} onClose={onClose} />}
      <Changes events={events} />
      <Messages
        messages={messages}
        standingOf={({ side }) =>
          side === 'system' || side === 'note' ? side : side === ours ? 'ours' : 'theirs'
        }
        sideText={({ side }) => ORDER_SIDES[side]}
      />
    </Talk>
  )
}

function OrderFacts({ order }: { order: ShownOrder }) {
  const { isVendorStaff } = useSession()
  const opensShops = usePermission('merchants.details')
  const { merchantId, shopName, satisfaction, ratingText } = order
  return (
    <Facts>
      <Fact label={WORK_ORDER_FIELDS.kind.label}>{ORDER_KINDS[order.kind]}</Fact>
      <Fact label={WORK_ORDER_FIELDS.urgency.label}>{URGENCIES[order.urgency]}</Fact>
      {isVendorStaff && (
        <Fact label={WORK_ORDER_FIELDS.agentName.label}>
          <AgentLink id={order.agentId}>
            {order.agentName}（{order.agentId}）
          </AgentLink>
        </Fact>
      )}
      <Fact label={WORK_ORDER_FIELDS.createdByName.label}>{order.createdByName}</Fact>
      <Fact label={WORK_ORDER_FIELDS.createdAt.label}>
        <Instant at={order.createdAt} />
      </Fact>
      {merchantId !== null && (
        <Fact label="店铺">
          {opensShops ? (
            <Link to="/admin/merchant/merchantDetails" search={{ user_id: merchantId }}>
              {shopName}（{merchantId}）
            </Link>
          ) : (
            `${shopName}（${merchantId}）`
          )}
        </Fact>
      )}
      <Fact label={WORK_ORDER_FIELDS.assigneeName.label}>{order.assigneeName || '未分配'}</Fact>
      {isRunning(order.state) && (
        <Fact label={WORK_ORDER_FIELDS.pressingAt.label}>
          <Due at={order.dueAt} />
        </Fact>
      )}
      {order.doneAt && (
        <Fact label={WORK_ORDER_FIELDS.doneAt.label}>
          <Instant at={order.doneAt} />
        </Fact>
      )}
      {order.closedAt && (
        <Fact label="关闭时间">
          <Instant at={order.closedAt} />
        </Fact>
      )}
      {satisfaction && (
        <Fact label={WORK_ORDER_FIELDS.satisfaction.label} wide>
          {SATISFACTION_WORDS[satisfaction]}
          {ratingText !== '' && `：${ratingText}`}
        </Fact>
      )}
    </Facts>
  )
}
