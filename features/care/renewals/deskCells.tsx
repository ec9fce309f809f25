// How the desk's cells are drawn where a cell is more than its field.
import { AGENT_CELL } from '#features/office/agents/agentCell.tsx'
import { ExpiryText } from '#features/shops/merchants/MerchantTexts.tsx'
import type { Out } from '#kit/declare/op.ts'
import { formatDay, formatInstant } from '#kit/time.ts'
import { PhoneNumber } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { StatusWord } from '#web/controls/StatusTag.tsx'
import type { renewals } from './contract.ts'
import { MARK_TONES } from './fields.ts'
import styles from './renewals.module.css'
import { MARK_STATES } from './rules.ts'

export type Row = Out<typeof renewals.desk>['rows'][number]
export type Mark = NonNullable<Row['mark']>

export const DESK_CELLS = {
  agentName: AGENT_CELL,
  daysLeft: (row: Row) => <DaysLeft days={row.daysLeft} />,
  reasons: { copy: (row: Row) => row.reasons.join('、'), render: (row: Row) => <Reasons row={row} /> },
  account: (row: Row) => <PhoneNumber number={row.account} />,
  mark: { copy: undefined, render: (row: Row) => <MarkText mark={row.mark} /> },
  nextOn: (row: Row) => row.mark?.nextOn && <NextOn day={row.mark.nextOn} />,
  versionName: {
    copy: (row: Row) => `${row.versionName} × ${row.shopsBought}`,
    render: (row: Row) => (
      <>
        {row.versionName}
        <span className={styles.deskPerson}>{row.shopsBought} 家</span>
      </>
    ),
  },
  expiresAt: (row: Row) => <ExpiryText expiresAt={row.expiresAt} />,
}

/** Red when past, orange within a week. */
function DaysLeft({ days }: { days: number }) {
  const tone = days < 0 ? 'problem' : days <= 7 ? 'attention' : undefined
  const text = days < 0 ? `过期 ${-days} 天` : days === 0 ? '今天到期' : `${days} 天`
  return (
    <span className={`${styles.deskDays} ${look.number}`} data-tone={tone}>
      {text}
    </span>
  )
}

/** Why the shop stands where it stands; the days have a column of their own. */
function Reasons({ row }: { row: Row }) {
  const reasons = row.reasons.slice(1)
  if (reasons.length === 0) return null
  return <span data-tip={row.reasons.join('、')}>{reasons.join('、')}</span>
}

function MarkText({ mark }: { mark: Mark | null }) {
  if (!mark) return <span className={look.quiet}>未跟进</span>
  const tip = [
    `${mark.createdByName} ${formatInstant(mark.createdAt)}`,
    ...(mark.note === '' ? [] : [mark.note]),
  ].join('：')
  return (
    <StatusWord tone={MARK_TONES[mark.state]} tip={tip}>
      {MARK_STATES[mark.state]}
    </StatusWord>
  )
}

/** Orange from the agreed day on. */
export function NextOn({ day }: { day: string }) {
  const isDue = day <= formatDay(new Date())
  return (
    <span className={`${styles.deskNext} ${look.number}`} data-tone={isDue ? 'attention' : undefined}>
      {day} 再跟进
    </span>
  )
}
