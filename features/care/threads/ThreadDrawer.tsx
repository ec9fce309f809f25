import { useQuery } from '@tanstack/react-query'
import { useHistory } from '#features/office/access/slots.tsx'
import { AgentLink } from '#features/office/agents/AgentLink.tsx'
import { usePermission, useSession } from '#web/client/session.ts'
import { Instant, PhoneNumber } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { Talk, TalkDrawer } from '#web/talk/Talk.tsx'
import { Composer } from './Composer.tsx'
import { Conversation } from './Conversation.tsx'
import { THREAD_FIELDS } from './fields.ts'
import { RESOLUTIONS, SATISFACTIONS, THREAD_DESKS, THREAD_KINDS, THREAD_STATES } from './rules.ts'
import { ThreadExtras } from './slots.tsx'
import { ThreadSteps } from './ThreadSteps.tsx'
import { type ShownMessage, type ShownThread, threadsApi } from './threadsApi.tsx'
import { useMarkRead, usePresence } from './useThread.tsx'

/** One thread over the list: what it is about, what was said, and the answer. */
export default function ThreadDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const asked = useQuery(threadsApi.details.query({ id }))
  return (
    <TalkDrawer
      title={asked.data ? THREAD_KINDS[asked.data.thread.kind] : '反馈'}
      asked={asked}
      onClose={onClose}
    >
      {({ thread, messages }) => <Opened thread={thread} messages={messages} />}
    </TalkDrawer>
  )
}

function Opened({ thread, messages }: { thread: ShownThread; messages: readonly ShownMessage[] }) {
  const presence = usePresence(thread)
  useMarkRead(thread)
  const mayReply = usePermission('threads.reply')
  return (
    <Talk
      title={thread.title}
      tags={
        <StatusTag tone={THREAD_FIELDS.state.tones[thread.state]}>{THREAD_STATES[thread.state]}</StatusTag>
      }
      presence={presence.text}
      form={mayReply && <Composer key={thread.id} thread={thread} onTyping={presence.type} />}
    >
      <Head thread={thread} />
      <ThreadExtras thread={thread} />
      <Conversation messages={messages} isOlder={thread.kind === 'older'} />
    </Talk>
  )
}

function Head({ thread }: { thread: ShownThread }) {
  const history = useHistory()
  const { isVendorStaff } = useSession()
  return (
    <>
      <Facts>
        <Fact label={thread.merchantId === null ? '反馈人' : '店铺'}>
          <ShopLink thread={thread} />
        </Fact>
        {thread.phone !== '' && (
          <Fact label={thread.merchantId === null ? '电话' : '账号'}>
            <PhoneNumber number={thread.phone} />
          </Fact>
        )}
        {isVendorStaff && (
          <Fact label={THREAD_FIELDS.agentName.label}>
            <AgentLink id={thread.agentId}>
              {thread.agentName}（{thread.agentId}）
            </AgentLink>
          </Fact>
        )}
        <Fact label={THREAD_FIELDS.createdAt.label}>
          <Instant at={thread.createdAt} />
        </Fact>
        <Fact label={THREAD_FIELDS.desk.label}>
          {THREAD_DESKS[thread.desk]}
          {thread.kind === 'shop' && ` · ${thread.assigneeName || '未分配'}`}
        </Fact>
        {thread.satisfaction && (
          <Fact label="评价">
            {SATISFACTIONS[thread.satisfaction]}
            {thread.resolution && ` · ${RESOLUTIONS[thread.resolution]}`}
          </Fact>
        )}
      </Facts>
      {thread.kind === 'shop' && (
        <ThreadSteps
          thread={thread}
          history={history.actionsOf({ kind: 'thread', id: thread.id, name: thread.title })}
        />
      )}
      {history.drawer}
    </>
  )
}

function ShopLink({ thread }: { thread: ShownThread }) {
  const opens = usePermission('merchants.details')
  const { merchantId, shopName, createdByName } = thread
  if (merchantId === null) return createdByName
  const name = `${shopName}（${merchantId}）`
  return (
    <>
      {opens ? (
        <Link to="/admin/merchant/merchantDetails" search={{ user_id: merchantId }}>
          {name}
        </Link>
      ) : (
        name
      )}
      {createdByName !== '' && <span className={look.quiet}> {createdByName}</span>}
    </>
  )
}
