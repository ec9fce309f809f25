import { usePermission, useSession } from '#web/client/session.ts'
import { MessageForm, Over } from '#web/talk/MessageForm.tsx'
import { ANSWER_REFUSALS, answerFor, refuseReply, THREAD_PICTURE, THREAD_PICTURE_KB } from './rules.ts'
import { type ShownThread, threadsApi } from './threadsApi.tsx'

type Props = { thread: ShownThread; onTyping: () => void }

/** The answer to the shop, or a note for colleagues; where neither can be given, why. */
export function Composer({ thread, onTyping }: Props) {
  const refusal = useRefusal(thread)
  const { name: me, isVendorStaff } = useSession()
  if (refusal !== null) return <Over>{refusal}</Over>
  const { id, revision, shopName, createdByName } = thread
  const isOlder = thread.kind === 'older'
  const over = isOlder ? null : refuseReply(thread, isVendorStaff ? 'vendor' : 'agent')
  const values = { shop: shopName || createdByName, person: createdByName || shopName, me }
  return (
    <MessageForm
      words={{ reply: '回复商户', placeholder: '请输入反馈内容', refusals: ANSWER_REFUSALS }}
      over={over && ANSWER_REFUSALS[over]}
      reply={(said, idempotencyKey) => threadsApi.reply({ id, ...said, revision }, { idempotencyKey })}
      {...(!isOlder && {
        note: (text: string, idempotencyKey: string) => threadsApi.note({ id, text }, { idempotencyKey }),
      })}
      pictures={{ purpose: THREAD_PICTURE, most: THREAD_PICTURE_KB }}
      withoutPictures={isOlder}
      answers={{ query: threadsApi.answers.query(), filled: text => answerFor(text, values) }}
      onTyping={onTyping}
      stale="threads"
    />
  )
}

function useRefusal({ kind, state }: ShownThread): string | null {
  const answersOlder = usePermission('feedback.list')
  if (kind === 'older') {
    if (state === 'replied') return ANSWER_REFUSALS.OLDER_ANSWERED
    return answersOlder ? null : ANSWER_REFUSALS.OLDER_NOT_YOURS
  }
  return null
}
