import { lazy, type ReactNode, useState } from 'react'
import { RESEND_LIMITS, RESEND_REFUSALS } from '#features/shops/messages/rules.ts'
import { formatCount } from '#kit/money.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import type { RowAction } from '#web/list/list-props.ts'
import { resendAction, type SentRow } from './messageCells.tsx'

const ResendDialog = lazy(() => import('./ResendDialog.tsx'))

type Resend = {
  /** None for who may not send again. */
  actionsOf: (row: SentRow) => RowAction[]
  /** For ListPage's `bulk`; undefined for who may not. */
  bulk: ((rows: readonly SentRow[], clear: () => void) => ReactNode) | undefined
  dialog: ReactNode
}

/** Sending failed messages again, one or many. */
export function useResend(): Resend {
  const allowed = usePermission('messageDesk.resend')
  const [asked, setAsked] = useState<{ rows: readonly SentRow[]; onSent: () => void } | null>(null)
  if (!allowed) return { actionsOf: () => [], bulk: undefined, dialog: null }
  return {
    actionsOf: row => [resendAction(row, () => setAsked({ rows: [row], onSent: () => undefined }))],
    bulk: (rows, clear) => {
      const able = rows.filter(row => row.resendRefusal === null).length
      return (
        <Button changes disabled={refuseBulk(rows, able)} onClick={() => setAsked({ rows, onSent: clear })}>
          {able > 0 ? `重发 ${formatCount(able)} 条` : '重发'}
        </Button>
      )
    },
    dialog: asked && (
      <Suspense>
        <ResendDialog {...asked} onClose={() => setAsked(null)} />
      </Suspense>
    ),
  }
}

function refuseBulk(rows: readonly SentRow[], able: number): string | null {
  if (able === 0) return RESEND_REFUSALS.NONE_RESENDABLE
  return rows.length > RESEND_LIMITS.messages ? `一次最多选择 ${RESEND_LIMITS.messages} 条` : null
}
