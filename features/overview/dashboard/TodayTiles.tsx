import { useQuery } from '@tanstack/react-query'
import { formatCount } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { usePermission } from '#web/client/session.ts'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Figure } from '#web/facts/Figure.tsx'
import { LoadFailure } from '#web/form/LoadStates.tsx'
import type { dashboard } from './contract.ts'
import styles from './HomePage.module.css'
import { comparison, TILE_LISTS, TILES, type Tile } from './rules.ts'

const dashboardApi = api<typeof dashboard>('dashboard')
const AGAIN_AFTER_MS = 60_000

/** Today against yesterday: four counts, each of which opens the list that it counts. */
export function TodayTiles() {
  const figures = useQuery({ ...dashboardApi.figures.query(), refetchInterval: AGAIN_AFTER_MS })
  if (figures.isError && !figures.data)
    return <LoadFailure error={figures.error} onRetry={() => void figures.refetch()} />
  const { data } = figures
  return (
    <dl className={`${styles.figures} ${styles.homeTiles}`} aria-busy={!data}>
      {TILES.map(tile => (
        <Figure
          key={tile}
          label={`今日${TILE_LISTS[tile].name}（${TILE_LISTS[tile].unit}）`}
          value={
            data ? <Count tile={tile} day={data.today} count={data.tiles[tile].today} when="今日" /> : '—'
          }
        >
          {data && (
            <dd className={styles.homeCompare}>
              <Trend {...data.tiles[tile]} />
              <span>
                昨日 <Count tile={tile} day={data.yesterday} count={data.tiles[tile].yesterday} when="昨日" />
              </span>
            </dd>
          )}
        </Figure>
      ))}
    </dl>
  )
}

type CountProps = { tile: Tile; day: string; count: number; when: string }

function Count({ tile, day, count, when }: CountProps) {
  const { name, unit, path, permission, filters } = TILE_LISTS[tile]
  const mayOpen = usePermission(permission)
  const shown = formatCount(count)
  if (!mayOpen) return <span>{shown}</span>
  return (
    <Link to={path} search={filters(day)} aria-label={`${when}${name} ${shown} ${unit}，查看列表`}>
      {shown}
    </Link>
  )
}

const ARROWS = { up: 'm4 8 4-4 4 4M8 4v9', down: 'm4 8 4 4 4-4M8 3v9', same: 'M3.5 8h9' }
const WORDS = { up: '比昨日多', down: '比昨日少', same: '与昨日持平' }

/** An arrow and a number to look at, the same in words to hear. */
function Trend({ today, yesterday }: { today: number; yesterday: number }) {
  const { trend, by } = comparison(today, yesterday)
  const words = trend === 'same' ? WORDS.same : `${WORDS[trend]} ${formatCount(by)}`
  return (
    <span className={styles.homeTrend} data-trend={trend} data-tip={words}>
      <svg
        width="14"
        height="14"
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <path d={ARROWS[trend]} />
      </svg>
      {trend !== 'same' && <span aria-hidden="true">{formatCount(by)}</span>}
      <span className={look.visuallyHidden}>{words}</span>
    </span>
  )
}
