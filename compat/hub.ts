// The documents' notices as their clients hear of them (D1 §4 Real-time, §7 Real-time hub): NoticeAsync(topicName, argsObj). Register and
// OnClientReceivedNotice are called by the names that pages of ours call, too.

/** Their client listens for these; what it does not know it would confirm unseen. */
const TOPICS: readonly unknown[] = ['FeedBackUserSendMsg', 'Refresh_Signature_Notify', 'PaymentStatus_Notify']
const TOLD = 'NoticeAsync'

type Notice = { topicName: string; argsObj: object }

/** Its address is our choice: they show none. */
const PATH = '/NoticeHub'

export const HUB = {
  path: PATH,
  negotiation: `${PATH}/negotiate`,
  /** What is confirmed, shown and opened stands beside what the notice is about, whose own names come first but for the trace id. */
  told(event: string, payload: unknown) {
    if (event !== TOLD) return null
    const { topicName, argsObj, ...shown } = payload as Notice & { traceId: string }
    if (!TOPICS.includes(topicName)) return null
    return { target: TOLD, arguments: [topicName, { ...shown, ...argsObj, traceId: shown.traceId }] }
  },
}
