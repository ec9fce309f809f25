import { useMutation } from '@tanstack/react-query'
import type { Out } from '#kit/declare/op.ts'
import { api, messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { Copyable } from '#web/controls/format.tsx'
import { toast } from '#web/controls/toast.ts'
import { List } from '#web/list/List.tsx'
import type { messageDesk } from './contract.ts'
import { OUTBOX } from './fields.ts'

const messageDeskApi = api<typeof messageDesk>('messageDesk')
const CELLS = {
  text: (row: Out<typeof messageDesk.outbox>['rows'][number]) => <Copyable text={row.text} />,
}

/** What was put into the outbox, and where it stands, for the operator. */
export default function OutboxPage() {
  const test = useMutation({
    mutationFn: () => messageDeskApi.sendTest(),
    onSuccess: ({ phone }) => toast.success(`测试短信发往 ${phone}，结果见列表`),
    onError: error => toast.error(messageOf(error)),
    onSettled: () => reread(),
  })
  return (
    <List
      of={OUTBOX}
      from={messageDeskApi.outbox}
      cells={CELLS}
      main={
        <Button changes busy={test.isPending} onClick={() => test.mutate()}>
          发送测试短信
        </Button>
      }
    />
  )
}
