import { useState } from 'react'
import { useSession } from '#web/client/session.ts'
import { Instant } from '#web/controls/format.tsx'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { List } from '#web/list/List.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import { Choices } from './Choices.tsx'
import { DECIDED, DECIDED_FIELDS } from './fields.ts'
import { partyCells } from './InboxCells.tsx'
import styles from './inbox.module.css'
import { type DecidedRow, inboxApi } from './inboxApi.tsx'
import { OpenedItem } from './OpenedItem.tsx'

/** What was done, the latest first: by whom, when, and what it was. */
export function DecidedList() {
  const session = useSession()
  const [opened, setOpened] = useState<DecidedRow | null>(null)
  const [{ kind }, setParams] = useListParams(DECIDED)
  return (
    <>
      <List
        of={DECIDED}
        from={inboxApi.decided}
        rowKey={row => row.key}
        cells={partyCells(session)}
        onOpen={setOpened}
        openKey={opened?.key}
        summary={({ kinds }) => (
          <Choices whose={null} kinds={kinds} kind={kind} onKind={chosen => setParams({ kind: chosen })} />
        )}
      />
      {opened?.opens && <OpenedItem row={opened} onClose={() => setOpened(null)} />}
      {opened?.opens === false && <Told row={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

/** What is known of one whose desk shows only what waits. */
function Told({ row, onClose }: { row: DecidedRow; onClose: () => void }) {
  const { kind, title, detail, shopName, agentName, decidedByName, decidedAt } = row
  return (
    <Dialog title={kind} width={480} onClose={onClose} footer={<CloseButton>关闭</CloseButton>}>
      <div className={styles.case}>
        <Facts>
          <Fact label={DECIDED_FIELDS.title.label}>{title}</Fact>
          {detail && <Fact label={DECIDED_FIELDS.detail.label}>{detail}</Fact>}
          {shopName && <Fact label={DECIDED_FIELDS.shopName.label}>{shopName}</Fact>}
          {agentName && <Fact label={DECIDED_FIELDS.agentName.label}>{agentName}</Fact>}
          <Fact label={DECIDED_FIELDS.decidedByName.label}>{decidedByName}</Fact>
          <Fact label={DECIDED_FIELDS.decidedAt.label}>
            <Instant at={decidedAt} />
          </Fact>
        </Facts>
      </div>
    </Dialog>
  )
}
