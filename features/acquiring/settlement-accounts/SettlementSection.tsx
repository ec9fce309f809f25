import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, useState } from 'react'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Instant } from '#web/controls/format.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { LoadFailure } from '#web/form/LoadStates.tsx'
import { STATE } from './fields.ts'
import { OPEN } from './rules.ts'
import styles from './settlement.module.css'
import { type SettlementData, settlementAccountsApi } from './settlementAccountsApi.tsx'

const ChangeDialog = lazy(() => import('./ChangeDialog.tsx'))
const AcquirerChangeDialog = lazy(() =>
  import('./ChangeDialog.tsx').then(all => ({ default: all.AcquirerChangeDialog })),
)

/** While a change is under way. */
const AGAIN_AFTER_MS = 5_000

const again = ({ state: { data } }: { state: { data: SettlementData | undefined } }) =>
  data?.changes.some(({ state }) => (OPEN as readonly string[]).includes(state)) === true && AGAIN_AFTER_MS

/** What became of changes of the account that the shop's money is settled to, and the way to the next. */
export default function SettlementSection({ id }: { id: number }) {
  const mayChange = usePermission('paymentApplications.review')
  const data = useQuery({ ...settlementAccountsApi.ofApplication.query({ id }), refetchInterval: again })
  return (
    <Section
      at="service"
      asked={data}
      mayChange={mayChange}
      dialog={(known, onClose) => <ChangeDialog id={id} data={known} onClose={onClose} />}
    />
  )
}

/** The same at an acquirer. */
export function AcquirerSection({ id }: { id: number }) {
  const mayChange = usePermission('acquirerOnboardings.decide')
  const data = useQuery({ ...settlementAccountsApi.ofAcquirer.query({ id }), refetchInterval: again })
  return (
    <Section
      at="acquirer"
      asked={data}
      mayChange={mayChange}
      dialog={(known, onClose) => <AcquirerChangeDialog id={id} data={known} onClose={onClose} />}
    />
  )
}

type Asked<D> = { data: D | undefined; isError: boolean; error: Error | null; refetch(): Promise<unknown> }
type Props<D> = {
  /** Above the facts of a shop at an acquirer, or below all else of one at the payment service. */
  at: 'service' | 'acquirer'
  asked: Asked<D>
  mayChange: boolean
  dialog: (data: D, onClose: () => void) => ReactNode
}

function Section<D extends SettlementData>({ at, asked, mayChange, dialog }: Props<D>) {
  const [changing, setChanging] = useState(false)
  const { data } = asked
  if (asked.isError && !data) return <LoadFailure error={asked.error} onRetry={() => void asked.refetch()} />
  if (!data) return null
  const { changes, changeRefusal } = data
  if (changes.length === 0 && !mayChange) return null
  return (
    <section className={styles.section} data-at={at} aria-label="结算账户">
      <div className={styles.head}>
        <h3>结算账户</h3>
        {mayChange && (
          <Button changes disabled={changeRefusal ?? false} onClick={() => setChanging(true)}>
            变更结算账户
          </Button>
        )}
      </div>
      {changes.length > 0 && (
        <ul className={styles.changes}>
          {changes.map(change => (
            <li key={change.id}>
              <StatusTag tone={STATE.tones[change.state]}>{STATE.words[change.state]}</StatusTag>{' '}
              {change.bankName} {change.accountNumberMasked} <Instant at={change.requestedAt} />{' '}
              {change.requestedByName}
              {change.message !== '' && <span className={styles.message}>{change.message}</span>}
            </li>
          ))}
        </ul>
      )}
      <Suspense>{changing && dialog(data, () => setChanging(false))}</Suspense>
    </section>
  )
}
