// The one maker of a thread's rows beside its operations, for demo and tests: what is not given is made up.
// Must never read a clock.
import type { threadMessages, threads } from './tables.ts'

type Thread = typeof threads.$inferInsert
type Message = typeof threadMessages.$inferInsert

/** One that waits for the shop's agent. */
export function threadRow(
  given: Partial<Thread> & Pick<Thread, 'agentId' | 'merchantId' | 'createdAt'>,
): Thread {
  const text = given.title ?? '收银台打不开'
  return {
    kind: 'shop',
    title: text,
    shopName: '测试店铺',
    createdByName: '王小明',
    state: 'awaiting',
    desk: 'agent',
    lastText: text,
    lastAt: given.createdAt,
    words: text,
    waitingSince: given.state === undefined || given.state === 'awaiting' ? given.createdAt : null,
    ...given,
  }
}

export function messageRow(
  given: Partial<Message> & Pick<Message, 'agentId' | 'merchantId' | 'threadId' | 'createdAt'>,
): Message {
  return { side: 'shop', text: '收银台打不开', authorId: 0, authorName: '测试店铺', ...given }
}
