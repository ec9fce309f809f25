import type { Out } from '#kit/op.ts'
import { api } from '#web/api.ts'
import { Copyable } from '#web/format.tsx'
import { List } from '#web/list/List.tsx'
import type { messages } from './contract.ts'
import { OUTBOX } from './fields.ts'

const messagesApi = api<typeof messages>('messages')
const CELLS = {
  text: (row: Out<typeof messages.outbox>['rows'][number]) => <Copyable text={row.text} />,
}

/** What was put into the outbox, and where it stands, for the operator. */
export default function OutboxPage() {
  return <List of={OUTBOX} from={messagesApi.outbox} cells={CELLS} />
}
