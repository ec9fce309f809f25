import { ExpiryText } from '#features/merchants/MerchantTexts.tsx'
import { STORE_KINDS } from '#features/merchants/rules.ts'
import type { Out } from '#kit/op.ts'
import { formatDay, formatInstant } from '#kit/time.ts'
import { Instant } from '#web/format.tsx'
import type { ListColumn } from '#web/list/ListPage.tsx'
import { look } from '#web/look.ts'
import { StatusTag, type Tone } from '#web/StatusTag.tsx'
import type { renewals } from './contract.ts'
import styles from './renewals.module.css'
import { MARK_STATES, type MarkState, WINDOWS, type Window } from './rules.ts'

export type Row = Out<typeof renewals.desk>['rows'][number]
export type Mark = NonNullable<Row['mark']>

export type DeskParams = {
  page?: number
  size?: number
  search?: string
  /** A number in the address reads as one. */
  window?: Window | number
  /** 0: shops without a manager. */
  managerId?: number
  mark?: 'none' | 'due' | MarkState
  agentId?: number
}

const DEFAULT_WINDOW: Window = '30'

export function windowOf(text: DeskParams['window']): Window {
  return WINDOWS.find(window => window === String(text)) ?? DEFAULT_WINDOW
}

export const MARK_FILTERS: Record<NonNullable<DeskParams['mark']>, string> = {
  due: '到约定跟进日',
  none: '未跟进',
  ...MARK_STATES,
}

export const MARK_TONES: Record<MarkState, Tone> = {
  contacted: 'neutral',
  promised: 'done',
  lost: 'problem',
}

export function columnsFor(isVendorStaff: boolean): ListColumn<Row>[] {
  return [...COLUMNS, ...(isVendorStaff ? [AGENT] : [])]
}

const COLUMNS: ListColumn<Row>[] = [
  {
    key: 'shopName',
    title: '店铺名称',
    width: 208,
    fixed: 'start',
    copy: row => row.shopName,
    opens: true,
    render: row => row.shopName,
    card: 'title',
  },
  {
    key: 'daysLeft',
    title: '剩余天数',
    width: 96,
    align: 'right',
    copy: row => String(row.daysLeft),
    render: row => <DaysLeft days={row.daysLeft} />,
    card: 'fact',
  },
  {
    key: 'reasons',
    title: '优先原因',
    width: 256,
    render: row => <Reasons row={row} />,
    card: 'fact',
  },
  {
    key: 'account',
    title: '联系人 / 电话',
    width: 176,
    copy: row => row.account,
    render: row => (
      <>
        <a
          className={look.number}
          href={`tel:${row.account}`}
          aria-label={`拨打 ${row.shopName} ${row.account}`}
        >
          {row.account}
        </a>
        <span className={styles.deskPerson}>{row.personName}</span>
      </>
    ),
    card: 'fact',
  },
  {
    key: 'mark',
    title: '跟进',
    width: 240,
    render: row => <MarkText mark={row.mark} />,
    card: 'fact',
  },
  {
    key: 'versionName',
    title: '版本',
    width: 136,
    copy: row => `${row.versionName} × ${row.shopsBought}`,
    render: row => (
      <>
        {row.versionName}
        <span className={styles.deskPerson}>{row.shopsBought} 家</span>
      </>
    ),
    card: 'fact',
  },
  {
    key: 'expiresAt',
    title: '到期时间',
    width: 164,
    copy: row => formatInstant(row.expiresAt),
    render: row => <ExpiryText expiresAt={row.expiresAt} />,
    card: 'fact',
  },
  {
    key: 'lastLoginAt',
    title: '最近登录',
    width: 164,
    copy: row => (row.lastLoginAt === null ? '从未登录' : formatInstant(row.lastLoginAt)),
    render: row => <Instant at={row.lastLoginAt} none="从未登录" />,
  },
  {
    key: 'managerName',
    title: '客户经理/客服',
    width: 120,
    copy: row => row.managerName ?? '',
    render: row => row.managerName ?? <span className={look.quiet}>未分配</span>,
  },
  {
    key: 'id',
    title: 'ID',
    width: 124,
    copy: row => String(row.id),
    render: row => (
      <>
        {row.id}
        <span className={styles.deskKind}>{STORE_KINDS[row.storeKind]}</span>
      </>
    ),
  },
]

const AGENT: ListColumn<Row> = {
  key: 'agentName',
  title: '代理商',
  width: 200,
  copy: row => `${row.agentName}（${row.agentId}）`,
  render: row => `${row.agentName}（${row.agentId}）`,
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
  if (reasons.length === 0) return <span className={look.quiet}>{row.reasons[0]}</span>
  return <span data-tip={row.reasons.join('、')}>{reasons.join('、')}</span>
}

export function MarkText({ mark }: { mark: Mark | null }) {
  if (!mark) return <span className={look.quiet}>未跟进</span>
  const tip = [
    `${mark.createdByName} ${formatInstant(mark.createdAt)}`,
    ...(mark.note === '' ? [] : [mark.note]),
  ].join('：')
  return (
    <span className={styles.deskMark} data-tip={tip}>
      <StatusTag tone={MARK_TONES[mark.state]}>{MARK_STATES[mark.state]}</StatusTag>
      {mark.nextOn !== null && <NextOn day={mark.nextOn} />}
    </span>
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
