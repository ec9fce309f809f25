import { formatCount } from '#kit/money.ts'
import { Button } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { isEnded, type ShopCounts, TRAIN_SHOP_STATE_KEYS, TRAIN_SHOP_STATES } from './rules.ts'
import styles from './trains.module.css'

const PROBLEMS: readonly string[] = ['refused', 'failed']
const STILL: readonly string[] = ['waiting', 'left', 'skipped', 'rolledBack']
const toneOf = (state: string) =>
  state === 'released'
    ? 'done'
    : PROBLEMS.includes(state)
      ? 'problem'
      : STILL.includes(state)
        ? 'still'
        : 'moving'

type Props = {
  trainId: number
  wave: number
  counts: ShopCounts
  isCurrent: boolean
  isBusy: boolean
  onBack: () => void
}

/** One wave: how far it is as a bar and in words; it opens its mini programs. */
export function WaveCard({ trainId, wave, counts, isCurrent, isBusy, onBack }: Props) {
  const parts = TRAIN_SHOP_STATE_KEYS.flatMap(state => {
    const count = counts[state] ?? 0
    return count === 0 ? [] : [{ state, count, tone: toneOf(state) }]
  })
  const shops = parts.reduce((sum, { count }) => sum + count, 0)
  const isOver = parts.every(({ state }) => isEnded(state))
  const released = counts.released ?? 0
  return (
    <li className={styles.wave} data-current={isCurrent || undefined}>
      <div className={styles.waveHead}>
        <Link to="/admin/schedule/releaseTrainShops" search={{ id: trainId, wave }}>
          第 {wave} 批
        </Link>
        <span className={look.quiet}>
          {formatCount(shops)} 家{isOver ? ' · 已结束' : isCurrent ? ' · 进行中' : ''}
        </span>
      </div>
      <div className={styles.track} aria-hidden="true">
        {parts.map(({ state, count, tone }) => (
          <i key={state} data-tone={tone} style={{ flexGrow: count }} />
        ))}
      </div>
      <dl className={styles.figures}>
        {parts.map(({ state, count, tone }) => (
          <div key={state} data-tone={tone}>
            <dt>{TRAIN_SHOP_STATES[state]}</dt>
            <dd className={look.number}>{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
      {released > 0 && (
        <Permit permission="releaseTrains.run">
          <Button kind="link" changes busy={isBusy} onClick={onBack}>
            回退本批
          </Button>
        </Permit>
      )}
    </li>
  )
}
