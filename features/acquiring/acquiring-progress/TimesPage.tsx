import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { PeriodBar } from '#features/sales/settlement/PeriodBar.tsx'
import type { Period } from '#features/sales/settlement/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import type { SearchOf } from '#kit/declare/pages.ts'
import { formatCount, percentText } from '#kit/money.ts'
import { formatDay } from '#kit/time.ts'
import { useMayOpen, useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Figure } from '#web/facts/Figure.tsx'
import { FigureTable } from '#web/facts/FigureTable.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import type { acquiringProgress } from './contract.ts'
import { progressApi } from './progressApi.tsx'
import {
  daysText,
  refusedShare,
  TIMES_BY,
  TIMES_LIMITS,
  TIMES_MEANING,
  type Times,
  type TimesBy,
  timesByOf,
} from './rules.ts'
import styles from './times.module.css'

type Params = SearchOf<'/admin/merchant/progressTimes'>
type Answer = Out<typeof acquiringProgress.times>

/** How long it took from papers to being paid in a period, and how many first tries were refused and why. */
export default function TimesPage() {
  const [{ period = 'month', month: asked, by: wanted }, setParams] = useListParams<Params>()
  const { isVendorStaff } = useSession()
  const today = formatDay(new Date())
  const month = asked ?? today.slice(0, 7)
  const choices = timesByOf(isVendorStaff)
  const by = choices.find(key => key === wanted) ?? 'channel'
  const query = useQuery({
    ...progressApi.times.query({ period, month, by }),
    placeholderData: keepPreviousData,
  })
  // What is still shown while another comes is called by what it was asked for.
  const shown = useRef<{ period: Period; by: TimesBy }>({ period, by })
  if (!query.isPlaceholderData) shown.current = { period, by }
  return (
    <div className={`${look.page} ${styles.page}`}>
      <h1 className={look.pageTitle}>开通时效</h1>
      {query.data ? (
        <>
          <PeriodBar
            {...{ period, month, today }}
            shown={{ period: shown.current.period, now: query.data.now }}
            onChange={changed => setParams(changed as Partial<Params>)}
          >
            {query.data.now.from} 至 {query.data.now.to}
          </PeriodBar>
          <Told
            answer={query.data}
            by={shown.current.by}
            choices={choices}
            onChoose={key => setParams({ by: key } as Partial<Params>)}
          />
        </>
      ) : query.isError ? (
        <LoadFailure error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <LoadingLines lines={8} />
      )}
    </div>
  )
}

type ToldProps = {
  answer: Answer
  by: TimesBy
  choices: readonly TimesBy[]
  onChoose: (by: TimesBy) => void
}

function Told({ answer: { total, rows, rowsCapped, causes }, by, choices, onChoose }: ToldProps) {
  if (total.opened + total.decided === 0) return <p className={styles.none}>{TIMES_MEANING.empty}</p>
  const share = refusedShare(total)
  return (
    <>
      <dl className={styles.figures}>
        <Figure label="已开通（件）" value={formatCount(total.opened)} />
        <Figure label="到开通：一半在" value={within(total.medianDays)} />
        <Figure label="到开通：九成在" value={within(total.p90Days)} />
        <Figure
          label={`首次驳回（共 ${formatCount(total.decided)} 件）`}
          value={share === null ? '—' : percentText(share)}
        />
      </dl>
      <p className={look.quiet}>{TIMES_MEANING.opened}</p>
      <section className={styles.part} aria-label="分组">
        <fieldset className={styles.choice} aria-label="分组">
          {choices.map(key => (
            <Button key={key} changes={false} aria-pressed={key === by} onClick={() => onChoose(key)}>
              {TIMES_BY[key]}
            </Button>
          ))}
        </fieldset>
        <FigureTable
          label={TIMES_BY[by]}
          heads={[
            TIMES_BY[by].slice(1),
            '已开通（件）',
            '一半在',
            '九成在',
            '首次驳回率',
            '到首笔收款：一半在',
          ]}
        >
          <tbody>
            {rows.map(row => (
              <tr key={row.key}>
                <th scope="row">
                  <span className={styles.name}>{row.name}</span>
                </th>
                <Numbers of={row} />
              </tr>
            ))}
          </tbody>
        </FigureTable>
        {rowsCapped && <p className={look.quiet}>只列出件数最多的 {TIMES_LIMITS.rows} 个</p>}
      </section>
      <Causes causes={causes} total={total} />
    </>
  )
}

const within = (days: number | null) => (days === null ? '—' : `${daysText(days)}内`)

function Numbers({ of: times }: { of: Times }) {
  const { opened, medianDays, p90Days, paid, paidMedianDays, decided, refused } = times
  const share = refusedShare(times)
  return (
    <>
      <td>{formatCount(opened)}</td>
      <td>{within(medianDays)}</td>
      <td>{within(p90Days)}</td>
      <td>
        {share === null ? '—' : `${percentText(share)}（${formatCount(refused)}/${formatCount(decided)}）`}
      </td>
      <td>{paid === 0 ? '—' : `${within(paidMedianDays)}（${formatCount(paid)} 件）`}</td>
    </>
  )
}

function Causes({ causes, total }: Pick<Answer, 'causes' | 'total'>) {
  const mayOpen = useMayOpen('/admin/schedule/payRefusals')
  return (
    <section className={styles.part} aria-label="首次驳回的主要原因">
      <h2 className={look.sectionTitle}>首次驳回的主要原因</h2>
      {causes.length === 0 ? (
        <p className={look.quiet}>
          {total.refused === 0 ? '这一期没有首次被驳回的' : '这一期首次被驳回的没有归类的原因'}
        </p>
      ) : (
        <ol className={styles.causes}>
          {causes.map(({ causeId, label, reason, times }) => (
            <li key={`${causeId} ${label}`}>
              <span>
                {causeId !== null && mayOpen ? (
                  <Link to="/admin/schedule/payRefusals" search={{ id: causeId }}>
                    {label}
                  </Link>
                ) : (
                  label
                )}
                {reason !== '' && <span className={styles.reason}>{reason}</span>}
              </span>
              <b className={look.number}>{formatCount(times)} 件</b>
            </li>
          ))}
        </ol>
      )}
      <p className={look.quiet}>
        {TIMES_MEANING.refused}。{TIMES_MEANING.causes}
      </p>
    </section>
  )
}
