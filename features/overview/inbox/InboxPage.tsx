import { useNavigate, usePageSearch } from '#web/client/navigation.ts'
import { useSession } from '#web/client/session.ts'
import { List } from '#web/list/List.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import { Choices } from './Choices.tsx'
import { DecidedList } from './DecidedList.tsx'
import { INBOX } from './fields.ts'
import { inboxCells } from './InboxCells.tsx'
import { type InboxRow, inboxApi } from './inboxApi.tsx'
import { opensInPlace } from './OpenedItem.tsx'
import { WHOSE_AT_FIRST } from './rules.ts'
import { useDeeds } from './useDeeds.tsx'
import { useQueue } from './useQueue.tsx'

/** Everything that waits for whoever looks; `?view=decided` shows what was done. */
export default function InboxPage() {
  const [{ view }] = usePageSearch<'/admin/inbox'>()
  return view === 'decided' ? <DecidedList /> : <Waiting />
}

/** In one list: opened and done in place one after the other, taken, handed on, put off. */
function Waiting() {
  const session = useSession()
  const navigate = useNavigate()
  const deeds = useDeeds()
  const [, ask] = usePageSearch<'/admin/inbox'>()
  const queue = useQueue((line, asked) => ask({ kind: line.kind, page: undefined, ...asked }))
  const [{ whose = WHOSE_AT_FIRST, kind }, setParams] = useListParams(INBOX)
  const act = (row: InboxRow) => {
    if (opensInPlace(row)) queue.open(row)
    else void navigate({ href: row.link })
  }
  return (
    <>
      <List
        of={INBOX}
        from={inboxApi.list}
        rowKey={row => row.key}
        cells={inboxCells(session)}
        onOpen={queue.open}
        openKey={queue.openKey}
        rowActions={row =>
          row.folded !== null
            ? [{ key: 'unfold', label: '展开', reads: true, onClick: () => queue.open(row) }]
            : [
                { key: 'open', label: row.mayDecide ? '处理' : '查看', reads: true, onClick: () => act(row) },
                ...deeds.actionsOf(row),
              ]
        }
        selectable={row => (row.folded === null ? null : '请先展开')}
        actionsWidth={176}
        rowKeys={deeds.keys}
        bulk={deeds.bulk}
        summary={({ kinds, rows }) => (
          <>
            <Choices whose={whose} kinds={kinds} kind={kind} onKind={chosen => setParams({ kind: chosen })} />
            {queue.onward(rows)}
          </>
        )}
      />
      {queue.opened}
      {deeds.dialogs}
    </>
  )
}
