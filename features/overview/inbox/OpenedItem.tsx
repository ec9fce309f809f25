import { type ComponentType, lazy } from 'react'
import { featureAt } from '#kit/feature-name.ts'
import type { InboxDeskProps } from '#kit/ports/inbox.ts'
import { formatInstant } from '#kit/time.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { Button } from '#web/controls/Button.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { Dialog } from '#web/form/Dialog.tsx'
import { INBOX_FIELDS } from './fields.ts'
import styles from './inbox.module.css'
import type { DecidedRow, InboxRow } from './inboxApi.tsx'
import { waitedText } from './rules.ts'

/** A feature that opens its things in place has this file in its folder. */
const loaders = import.meta.glob<{ default: ComponentType<InboxDeskProps> }>('/features/**/InboxDesk.tsx')

const desks = new Map(
  Object.entries(loaders).map(
    ([path, load]) => [featureAt(path.replace(/\/[^/]*$/, '')), lazy(load)] as const,
  ),
)

const featureOf = (source: string) => source.split('.', 1)[0] ?? ''

/** Whether it is opened over the list; otherwise its link leads to where it is done. */
export function opensInPlace({ source }: { source: string }): boolean {
  return desks.has(featureOf(source))
}

type Props<Row> = { row: Row; onClose: () => void }
type ItemRow = InboxRow | DecidedRow

/** A thing that waits in the drawer or dialog of its own feature; without one, what is known of it and the way to where it is done. */
export function OpenedItem({ row, onClose }: Props<ItemRow>) {
  const Desk = desks.get(featureOf(row.source))
  if (!Desk) return 'mayDecide' in row && <Elsewhere row={row} onClose={onClose} />
  return (
    <Suspense>
      <Desk key={row.key} item={row} onClose={onClose} />
    </Suspense>
  )
}

function Elsewhere({ row, onClose }: Props<InboxRow>) {
  const navigate = useNavigate()
  const { kind, title, detail, shopName, agentName, since, dueAt, mayDecide } = row
  return (
    <Dialog
      title={kind}
      width={480}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>关闭</Button>
          <Button kind="primary" changes={false} onClick={() => void navigate({ href: row.link })}>
            {mayDecide ? '前往处理' : '前往查看'}
          </Button>
        </>
      }
    >
      <div className={styles.case}>
        <Facts>
          <Fact label={INBOX_FIELDS.title.label}>{title}</Fact>
          {detail && <Fact label={INBOX_FIELDS.detail.label}>{detail}</Fact>}
          {shopName && <Fact label={INBOX_FIELDS.shopName.label}>{shopName}</Fact>}
          {agentName && <Fact label={INBOX_FIELDS.agentName.label}>{agentName}</Fact>}
          <Fact label={INBOX_FIELDS.since.label}>
            {waitedText(since, new Date())}（{formatInstant(since).slice(0, 16)} 起）
          </Fact>
          {dueAt && <Fact label={INBOX_FIELDS.dueAt.label}>{formatInstant(dueAt).slice(0, 16)} 前</Fact>}
        </Facts>
      </div>
    </Dialog>
  )
}
