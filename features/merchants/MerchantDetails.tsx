import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { versions } from '#features/versions/contract.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { Choice } from '#web/form/Choice.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { useSession } from '#web/session.ts'
import type { merchants } from './contract.ts'
import { type Merchant, MerchantFacts } from './MerchantFacts.tsx'
import { STEP_WORDS, stepOf, useStatusStep } from './MerchantStatusStep.tsx'
import { StatusText } from './MerchantTexts.tsx'
import styles from './merchants.module.css'
import { REFUSALS, refuseDisabled, STORE_KINDS } from './rules.ts'
import { MerchantTimeline, useTrade } from './slots.tsx'

const merchantsApi = api<typeof merchants>('merchants')
const versionsApi = api<typeof versions>('versions')
const MerchantEditForm = lazy(() =>
  import('./MerchantEditForm.tsx').then(file => ({ default: file.MerchantEditForm })),
)

const SHOWN = [
  { value: 'facts', label: '商户资料' },
  { value: 'timeline', label: '商户动态' },
] as const
type Shown = (typeof SHOWN)[number]['value']

/** One shop: read, edit, enable and disable. Used by the page and by the drawer over the list. */
export function MerchantDetails({ id }: { id: number }) {
  const details = useQuery({
    ...merchantsApi.details.query({ id }),
  })
  const options = useQuery({
    ...merchantsApi.options.query({ merchantId: id }),
  })
  const [editing, setEditing] = useState(false)
  const [shown, setShown] = useState<Shown>('facts')
  const catalogue = useQuery({ ...versionsApi.list.query(), enabled: editing })
  const session = useSession()
  if (details.isError) return <LoadFailure error={details.error} onRetry={() => void details.refetch()} />
  if (!details.data) return <LoadingLines lines={12} />
  const merchant = details.data
  const failed = [options, catalogue].find(query => query.isError)
  return (
    <article className={styles.merchantDetails}>
      <Heading merchant={merchant} editing={editing} onEdit={() => setEditing(true)} />
      {!editing && <ShownPicker value={shown} onChange={setShown} />}
      {!editing && shown === 'timeline' && (
        <Suspense fallback={<LoadingLines lines={12} />}>
          <MerchantTimeline merchantId={merchant.id} />
        </Suspense>
      )}
      {!editing && shown === 'facts' && (
        <Suspense fallback={<LoadingLines lines={12} />}>
          <MerchantFacts merchant={merchant} options={options.data} showAgent={session.isVendorStaff} />
        </Suspense>
      )}
      {editing && failed && <LoadFailure error={failed.error} onRetry={() => void failed.refetch()} />}
      {editing && !failed && (
        <Suspense fallback={<LoadingLines lines={12} />}>
          {options.data && catalogue.data ? (
            <MerchantEditForm
              merchant={merchant}
              options={options.data}
              versions={catalogue.data.rows}
              onClose={() => setEditing(false)}
            />
          ) : (
            <LoadingLines lines={12} />
          )}
        </Suspense>
      )}
    </article>
  )
}

function ShownPicker({ value, onChange }: { value: Shown; onChange: (shown: Shown) => void }) {
  return (
    <div className={styles.merchantShown}>
      <Choice id="merchant-shown" label="显示内容" options={SHOWN} value={value} onChange={onChange} />
    </div>
  )
}

type HeadingProps = { merchant: Merchant; editing: boolean; onEdit: () => void }

function Heading({ merchant, editing, onEdit }: HeadingProps) {
  const session = useSession()
  const step = useStatusStep()
  const trade = useTrade()
  const lock = refuseDisabled(merchant.status)
  const action = stepOf(merchant.status)
  return (
    <header className={styles.merchantHeading}>
      <div className={styles.merchantHeadingName}>
        <h2>{merchant.shopName}</h2>
        <span className={styles.aside}>
          ID {merchant.id} · {STORE_KINDS[merchant.storeKind]} · <StatusText status={merchant.status} />
        </span>
      </div>
      {!editing && (
        <div className={styles.merchantHeadingActions}>
          {trade.actionsOf(merchant).map(({ key, label, onClick, disabled }) => (
            <Button key={key} disabled={disabled} onClick={onClick}>
              {label}
            </Button>
          ))}
          {session.permissions.includes('merchants.status') && (
            <Button busy={step.busy} onClick={() => step.ask(merchant)}>
              {STEP_WORDS[action]}
            </Button>
          )}
          {session.permissions.includes('merchants.edit') && (
            <Button kind="primary" disabled={lock && REFUSALS[lock]} onClick={onEdit}>
              编辑
            </Button>
          )}
        </div>
      )}
      {trade.dialog}
    </header>
  )
}
