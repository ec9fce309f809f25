import { useMutation } from '@tanstack/react-query'
import { lazy, type ReactNode, useState } from 'react'
import { messageOf } from '#web/client/api.ts'
import { readAgain } from '#web/client/reread.ts'
import { useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import type { RowAction } from '#web/list/list-props.ts'
import type { RowKey } from '#web/list/useRowKeys.ts'
import { type InboxRow, inboxApi, namedOf, tellDone } from './inboxApi.tsx'
import { INBOX_LIMITS } from './rules.ts'

const AssignDialog = lazy(() => import('./AssignDialog.tsx'))
const SnoozeDialog = lazy(() => import('./SnoozeDialog.tsx'))

type Deeds = {
  actionsOf: (row: InboxRow) => RowAction[]
  keys: RowKey<InboxRow>[]
  bulk: (rows: readonly InboxRow[], clear: () => void) => ReactNode
  /** Belong into the page. */
  dialogs: ReactNode
}

type Asked = { what: 'assign' | 'snooze'; rows: readonly InboxRow[]; clear: () => void }

const isSnoozed = ({ snoozedUntil }: InboxRow) =>
  snoozedUntil !== null && Date.parse(snoozedUntil) > Date.now()
/** Not a line of many. */
const isOne = ({ folded }: InboxRow) => folded === null
const MAY_NOT = '您没有处理这类事项的权限'

/** Taking, handing on and putting off, of one or many. */
export function useDeeds(): Deeds {
  const { accountId } = useSession()
  const [asked, setAsked] = useState<Asked | null>(null)
  const onError = (error: unknown) => {
    toast.error(messageOf(error))
    readAgain('inbox')
  }
  const assign = useMutation({
    mutationFn: ({ rows, to }: { rows: readonly InboxRow[]; to: number | null }) =>
      inboxApi.assign({ items: namedOf(rows), accountId: to }),
    onSuccess: (answer, { to }) =>
      tellDone(
        answer,
        done => `${to === null ? '已放回' : '已由您负责'}${done > 1 ? `，共 ${done} 项` : ''}`,
      ),
    onError,
  })
  const bringBack = useMutation({
    mutationFn: (rows: readonly InboxRow[]) => inboxApi.snooze({ items: namedOf(rows), until: null }),
    onSuccess: answer => tellDone(answer, () => '已取消推迟'),
    onError,
  })
  const take = (rows: readonly InboxRow[], to: number | null) => {
    if (!assign.isPending) assign.mutate({ rows, to })
  }
  const ask = (what: Asked['what'], rows: readonly InboxRow[], clear: () => void = () => undefined) =>
    setAsked({ what, rows, clear })
  const isMine = (row: InboxRow) => row.assigneeId === accountId
  return {
    actionsOf: row => [
      isMine(row)
        ? { key: 'release', label: '放回', onClick: () => take([row], null) }
        : {
            key: 'take',
            label: '我来',
            disabled: row.mayDecide ? null : MAY_NOT,
            onClick: () => take([row], accountId),
          },
      { key: 'assign', label: '指派', onClick: () => ask('assign', [row]) },
      isSnoozed(row)
        ? { key: 'back', label: '取消推迟', onClick: () => bringBack.mutate([row]) }
        : { key: 'snooze', label: '推迟', onClick: () => ask('snooze', [row]) },
    ],
    keys: [
      {
        press: 'm',
        does: '我来',
        act: row => isOne(row) && row.mayDecide && !isMine(row) && take([row], accountId),
      },
      { press: 'g', does: '指派', act: row => isOne(row) && ask('assign', [row]) },
      { press: 's', does: '推迟', act: row => isOne(row) && ask('snooze', [row]), onward: true },
    ],
    bulk: (rows, clear) => (
      <Bulk
        rows={rows}
        onTake={() => assign.mutate({ rows, to: accountId }, { onSuccess: clear })}
        onAsk={what => ask(what, rows, clear)}
      />
    ),
    dialogs: (
      <Suspense>
        {asked?.what === 'assign' && (
          <AssignDialog rows={asked.rows} onDone={asked.clear} onClose={() => setAsked(null)} />
        )}
        {asked?.what === 'snooze' && (
          <SnoozeDialog rows={asked.rows} onDone={asked.clear} onClose={() => setAsked(null)} />
        )}
      </Suspense>
    ),
  }
}

type BulkProps = {
  rows: readonly InboxRow[]
  onTake: () => void
  onAsk: (what: Asked['what']) => void
}

function Bulk({ rows, onTake, onAsk }: BulkProps) {
  const tooMany = rows.length > INBOX_LIMITS.rows ? `一次最多处理 ${INBOX_LIMITS.rows} 项` : null
  const mayNot = rows.every(({ mayDecide }) => mayDecide) ? null : MAY_NOT
  return (
    <>
      <Button kind="primary" disabled={tooMany ?? mayNot} onClick={onTake}>
        我来
      </Button>
      <Button changes disabled={tooMany} onClick={() => onAsk('assign')}>
        指派
      </Button>
      <Button changes disabled={tooMany} onClick={() => onAsk('snooze')}>
        推迟
      </Button>
    </>
  )
}
