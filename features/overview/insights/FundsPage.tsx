import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { daysOfMonth } from '#features/sales/settlement/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import type { Path, SearchOf } from '#kit/declare/pages.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import type { ChartTone } from '#web/chart/chart-props.ts'
import { api } from '#web/client/api.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { useOpenable } from '#web/client/session.ts'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Figure } from '#web/facts/Figure.tsx'
import { FigureTable } from '#web/facts/FigureTable.tsx'
import { LoadFailure } from '#web/form/LoadStates.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import type { insights } from './contract.ts'
import { RANKING_FIELDS } from './fields.ts'
import { levelTarget } from './fields-targets.ts'
import styles from './insights.module.css'
import { Opens } from './Opens.tsx'
import { HELD, MEANINGS, STANDING, STANDING_KEYS, type StandingKey } from './rules.ts'
import { Section, TitleSelect } from './Section.tsx'

const insightsApi = api<typeof insights>('insights')
const Chart = lazy(() => import('#web/chart/Chart.tsx'))

type Funds = Out<typeof insights.funds>
type Level = Funds['levels'][number]

const SHOWN: Record<StandingKey, (value: number) => string> = {
  tokens: formatCents,
  agentSms: formatCount,
  shopSms: formatCount,
}
const MOVEMENTS = {
  tokens: '/admin/detail/personalDetails',
  agentSms: '/admin/detail/merchantMsgChanges',
  shopSms: '/admin/detail/merchantMsgChanges',
} as const satisfies Record<StandingKey, Path>
const TONES: Record<StandingKey, ChartTone> = { tokens: 'accent', agentSms: 'done', shopSms: 'attention' }

/** Where money stands: on the accounts of agents and shops by level and month, and what is on its way. */
export default function FundsPage() {
  const query = useQuery(insightsApi.funds.query())
  return (
    <div className={`${look.page} ${styles.page}`}>
      <h1 className={look.pageTitle}>资金</h1>
      {query.data ? (
        <Standing funds={query.data} />
      ) : query.isError ? (
        <LoadFailure error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <p className={styles.wait}>加载中</p>
      )}
    </div>
  )
}

const sumOf = (levels: readonly Level[], of: (level: Level) => number) =>
  levels.reduce((sum, level) => sum + of(level), 0)

function Standing({ funds }: { funds: Funds }) {
  return (
    <>
      <dl className={styles.figures}>
        {STANDING_KEYS.map(key => (
          <Figure
            key={key}
            label={`${STANDING[key].name}（${STANDING[key].unit}）`}
            value={<Opens {...levelTarget()}>{SHOWN[key](sumOf(funds.levels, ({ now }) => now[key]))}</Opens>}
          />
        ))}
      </dl>
      <Levels levels={funds.levels} />
      <Held held={funds.held} />
      <Lines funds={funds} />
    </>
  )
}

function Levels({ levels }: { levels: readonly Level[] }) {
  return (
    <Section label="按等级" title="按等级">
      <FigureTable
        label="各等级的余额"
        heads={[
          '等级',
          '代理商（家）',
          ...STANDING_KEYS.map(key => `${STANDING[key].name}（${STANDING[key].unit}）`),
        ]}
      >
        <tbody>
          {levels.map(level => (
            <tr key={level.id}>
              <th scope="row">{level.name}</th>
              <td>
                <OfLevel level={level}>{formatCount(level.agents)}</OfLevel>
              </td>
              {STANDING_KEYS.map(key => (
                <td key={key}>
                  <OfLevel level={level}>{SHOWN[key](level.now[key])}</OfLevel>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">合计</th>
            <td>
              <Opens {...levelTarget()}>{formatCount(sumOf(levels, ({ agents }) => agents))}</Opens>
            </td>
            {STANDING_KEYS.map(key => (
              <td key={key}>
                <Opens {...levelTarget()}>{SHOWN[key](sumOf(levels, ({ now }) => now[key]))}</Opens>
              </td>
            ))}
          </tr>
        </tfoot>
      </FigureTable>
    </Section>
  )
}

/** The agents of a level with what they hold. */
function OfLevel({ level, children }: { level: Level; children: string }) {
  return <Opens {...levelTarget(level.id)}>{children}</Opens>
}

function Held({ held }: { held: Funds['held'] }) {
  return (
    <Section label="在途" title="在途">
      <p className={look.quiet}>{MEANINGS.held}</p>
      <FigureTable label="在途的款项" heads={['项目', '笔数', '金额']}>
        <tbody>
          {held.map(({ key, count, cents }) => (
            <tr key={key}>
              <th scope="row">{HELD[key].name}</th>
              <td>
                <Opens path={HELD[key].path} search={HELD[key].search}>
                  {formatCount(count)}
                </Opens>
              </td>
              <td>
                <Opens path={HELD[key].path} search={HELD[key].search}>
                  {formatCents(cents)} {HELD[key].unit}
                </Opens>
              </td>
            </tr>
          ))}
        </tbody>
      </FigureTable>
    </Section>
  )
}

type Params = SearchOf<'/admin/insights/funds'>

function Lines({ funds: { months, levels } }: { funds: Funds }) {
  const [{ levelId }, setParams] = useListParams<Params>()
  const navigate = useNavigate()
  const openable = useOpenable()
  const shown = levels.filter(({ id }) => levelId === undefined || id === levelId)
  const open = (key: StandingKey, month: string | undefined) => {
    if (month === undefined) return
    const { first: from, last: to } = daysOfMonth(month)
    void navigate({ to: MOVEMENTS[key], search: { from, to } })
  }
  return (
    <Section
      label="各月末余额"
      title={
        <>
          各月末余额
          <TitleSelect
            label={RANKING_FIELDS.levelName.label}
            all="全部等级"
            options={levels.map(({ id, name }) => ({ value: id, text: name }))}
            value={levelId}
            onChange={id => setParams({ levelId: id })}
          />
        </>
      }
    >
      <div className={styles.charts}>
        {STANDING_KEYS.map(key => (
          <Suspense key={key} fallback={<div className={styles.chartWait} />}>
            <Chart
              title={`${STANDING[key].name}（月末）`}
              unit={STANDING[key].unit}
              labels={months}
              series={[
                {
                  name: STANDING[key].name,
                  tone: TONES[key],
                  values: months.map((_, at) => sumOf(shown, ({ line }) => line[key][at] ?? 0)),
                },
              ]}
              format={SHOWN[key]}
              onPick={openable(MOVEMENTS[key]) ? at => open(key, months[at]) : undefined}
            />
          </Suspense>
        ))}
      </div>
    </Section>
  )
}
