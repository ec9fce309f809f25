import type { z } from 'zod'
import type { MessageStatus } from '#features/shops/messages/rules.ts'
import { formatCount } from '#kit/money.ts'
import { look } from '#web/controls/look.ts'
import styles from './campaigns.module.css'
import type { CampaignRow } from './contract.ts'
import { countOf, FAILED_STATES } from './rules.ts'

export type Row = z.output<typeof CampaignRow>

/** Messages of a campaign in the groups that people ask about. */
export const GROUPS = [
  { key: 'delivered', name: '已送达', tone: 'done', states: ['delivered'] },
  { key: 'failed', name: '失败', tone: 'problem', states: FAILED_STATES },
  { key: 'unknown', name: '待确认', tone: 'attention', states: ['unknown'] },
  { key: 'submitted', name: '已提交', tone: 'moving', states: ['submitted'] },
  { key: 'waiting', name: '待发送', tone: 'waiting', states: ['queued', 'sending'] },
  { key: 'cancelled', name: '已取消', tone: 'waiting', states: ['cancelled'] },
] as const satisfies { key: string; name: string; tone: string; states: readonly MessageStatus[] }[]

/** How far it is, as a bar and in words. */
export function CampaignProgress({ row }: { row: Row }) {
  const parts = GROUPS.map(group => ({ ...group, count: countOf(row, group.states) })).filter(
    ({ count }) => count > 0,
  )
  if (parts.length === 0 && row.status !== 'queueing') return <span className={look.quiet}>—</span>
  const total = Math.max(row.status === 'queueing' ? (row.expectedShops ?? 0) : 0, row.queued, 1)
  const words = parts.map(({ name, count }) => `${name} ${formatCount(count)}`).join(' · ')
  return (
    <div className={styles.campaignProgress}>
      <span className={styles.campaignProgressWords}>{words || '正在生成短信'}</span>
      <div className={styles.campaignTrack} aria-hidden="true">
        {parts.map(({ key, tone, count }) => (
          <i key={key} data-tone={tone} style={{ width: `${(count / total) * 100}%` }} />
        ))}
      </div>
    </div>
  )
}
