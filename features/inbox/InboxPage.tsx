import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { roving } from '#web/keys/roving.ts'
import { List } from '#web/list/List.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import { useSession } from '#web/session.ts'
import { INBOX } from './fields.ts'
import { inboxCells } from './InboxCells.tsx'
import styles from './inbox.module.css'
import { type InboxRow, inboxApi } from './inboxApi.tsx'
import { OpenedItem, opensInPlace } from './OpenedItem.tsx'
import { WHOSE, WHOSE_AT_FIRST, WHOSE_KEYS } from './rules.ts'
import { useDeeds } from './useDeeds.tsx'

/** Everything that waits for whoever looks, in one list: opened and done in place, taken, handed on, put off. */
export default function InboxPage() {
  const session = useSession()
  const [opened, setOpened] = useState<InboxRow | null>(null)
  const navigate = useNavigate()
  const deeds = useDeeds()
  const open = (row: InboxRow) => {
    if (opensInPlace(row)) setOpened(row)
    else void navigate({ href: row.link } as never)
  }
  return (
    <>
      <List
        of={INBOX}
        from={inboxApi.list}
        rowKey={row => row.key}
        cells={inboxCells(session)}
        onOpen={open}
        openKey={opened?.key ?? null}
        rowActions={row => [
          {
            key: 'open',
            label: row.mayDecide ? '处理' : '查看',
            reads: true,
            onClick: () => open(row),
          },
          ...deeds.actionsOf(row),
        ]}
        actionsWidth={176}
        rowKeys={deeds.keys}
        bulk={deeds.bulk}
        summary={({ kinds }) => <Choices kinds={kinds} />}
      />
      {opened && <OpenedItem item={opened} onClose={() => setOpened(null)} />}
      {deeds.dialogs}
    </>
  )
}

type ChoicesProps = {
  kinds: readonly { label: string; count: number; capped: boolean }[]
}

/** Whose things, and of which kind, each with how many there are. */
function Choices({ kinds }: ChoicesProps) {
  const [{ whose = WHOSE_AT_FIRST, kind }, setParams] = useListParams(INBOX)
  const shown = kinds.filter(({ label, count }) => count > 0 || label === kind)
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
        <fieldset {...roving} className={styles.kinds} aria-label="事项类型">
          {shown.map(({ label, count, capped }) => (
            <button
              key={label}
              type="button"
              aria-pressed={label === kind}
              onClick={() => setParams({ kind: label === kind ? undefined : label })}
            >
              {label}{' '}
              <b>
                {count}
                {capped && '+'}
              </b>
            </button>
          ))}
        </fieldset>
      )}
    </div>
  )
}
