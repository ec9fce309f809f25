import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import { Copyable } from '#web/controls/format.tsx'
import { List } from '#web/list/List.tsx'
import type { messageDesk } from './contract.ts'
import { OUTBOX } from './fields.ts'

const messageDeskApi = api<typeof messageDesk>('messageDesk')
const CELLS = {
  text: (row: Out<typeof messageDesk.outbox>['rows'][number]) => <Copyable text={row.text} />,
}

/** What was put into the outbox, and where it stands, for the operator. */
export default function OutboxPage() {
  return <List of={OUTBOX} from={messageDeskApi.outbox} cells={CELLS} />
}
