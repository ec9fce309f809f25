import { lazy, useState } from 'react'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { AGENT_CELL } from '#features/office/agents/agentCell.tsx'
import { pictureAddress } from '#kit/picture.ts'
import { api } from '#web/client/api.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import type { FeedbackRow, feedback } from './contract.ts'
import styles from './feedback.module.css'
import { FEEDBACK } from './fields.ts'
import { useFeedbackActions } from './slots.tsx'

const feedbackApi = api<typeof feedback>('feedback')
const AnswerDialog = lazy(() => import('./AnswerDialog.tsx'))

/** Everything that partners told the vendor, and its answers. */
export default function FeedbackPage() {
  const [open, setOpen] = useState<FeedbackRow | null>(null)
  const moreOf = useFeedbackActions()
  return (
    <>
      <List
        of={FEEDBACK}
        from={feedbackApi.list}
        cells={CELLS}
        options={OPTIONS}
        onOpen={setOpen}
        rowActions={row => [
          { key: 'answer', label: row.state === 'open' ? '回复' : '查看', onClick: () => setOpen(row) },
          ...moreOf(row),
        ]}
        actionsWidth={136}
      />
      {open && (
        <Suspense>
          <AnswerDialog row={open} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </>
  )
}

const CELLS = {
  agentName: AGENT_CELL,
  picture: {
    copy: undefined,
    render: ({ pictureId }: FeedbackRow) =>
      pictureId && (
        <img className={styles.feedbackThumb} src={pictureAddress(pictureId)} alt="反馈图片" loading="lazy" />
      ),
  },
}

const OPTIONS = { agentId: AGENT_OPTIONS }
