import { useNavigate, usePageSearch } from '#web/client/navigation.ts'
import { useSession } from '#web/client/session.ts'
import { Menu } from '#web/controls/Menu.tsx'
import { roving } from '#web/keys/roving.ts'
import { List } from '#web/list/List.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import { INBOX, INBOX_FIELDS } from './fields.ts'
import { inboxCells } from './InboxCells.tsx'
import styles from './inbox.module.css'
import { type InboxRow, inboxApi } from './inboxApi.tsx'
import { opensInPlace } from './OpenedItem.tsx'
import { WHOSE, WHOSE_AT_FIRST, WHOSE_KEYS } from './rules.ts'
import { useDeeds } from './useDeeds.tsx'
import { useQueue } from './useQueue.tsx'

/** Everything that waits for whoever looks, in one list: opened and done in place one after the other, taken, handed on, put off. */
export default function InboxPage() {
  const session = useSession()
  const navigate = useNavigate()
  const deeds = useDeeds()
  const [, ask] = usePageSearch<'/admin/inbox'>()
  const queue = useQueue(({ kind }, asked) => ask({ kind, page: undefined, ...asked }))
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
            <Choices kinds={kinds} />
            {queue.onward(rows)}
          </>
        )}
      />
      {queue.opened}
      {deeds.dialogs}
    </>
  )
}

type KindCount = { label: string; count: number; capped: boolean }

function Kind({ label, count, capped }: KindCount) {
  return (
    <>
      {label}{' '}
      <b>
        {count}
        {capped && '+'}
      </b>
    </>
  )
}

/** More do not fit beside the menu. */
const KINDS_IN_LINE = 6

type ChoicesProps = { kinds: readonly KindCount[] }

/** Whose things, and of which kind, each with how many there are. */
function Choices({ kinds }: ChoicesProps) {
  const [{ whose = WHOSE_AT_FIRST, kind }, setParams] = useListParams(INBOX)
  const shown = kinds.filter(({ label, count }) => count > 0 || label === kind)
  const choose = (label: string) => setParams({ kind: label === kind ? undefined : label })
  // The one that is chosen stays in sight.
  const inLine = shown.filter(({ label }, at) => at < KINDS_IN_LINE || label === kind)
  const more = shown.filter(one => !inLine.includes(one))
  return (
    <div className={styles.choices}>
      <fieldset {...roving} className={styles.whose} aria-label="范围">
        {WHOSE_KEYS.map(key => (
          <button
            key={key}
            type="button"
            aria-pressed={key === whose}
            onClick={() => setParams({ whose: key === WHOSE_AT_FIRST ? undefined : key })}
          >
            {WHOSE[key]}
          </button>
        ))}
      </fieldset>
      {shown.length > 1 && (
        <fieldset {...roving} className={styles.kinds} aria-label={INBOX_FIELDS.kind.label}>
          {inLine.map(one => (
            <button
              key={one.label}
              type="button"
              aria-pressed={one.label === kind}
              onClick={() => choose(one.label)}
            >
              <Kind {...one} />
            </button>
          ))}
        </fieldset>
      )}
      {more.length > 0 && (
        <Menu
          label={`更多 ${more.length} 类事项`}
          button={`更多 ${more.length} 类`}
          className={styles.more}
          align="end"
          items={more.map(one => ({
            key: one.label,
            label: <Kind {...one} />,
            onClick: () => choose(one.label),
          }))}
        />
      )}
    </div>
  )
}
