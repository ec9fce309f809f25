import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import { formatDay } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { useSession } from '#web/client/session.ts'
import { Button, buttonLook, Pressable } from '#web/controls/Button.tsx'
import { share } from '#web/controls/copy.ts'
import { Instant } from '#web/controls/format.tsx'
import { IconMessage, IconPlace, IconRenew, IconShare } from '#web/controls/icons.tsx'
import { Link } from '#web/controls/Link.tsx'
import { Menu } from '#web/controls/Menu.tsx'
import { Permit } from '#web/controls/Permit.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Choice } from '#web/form/Choice.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import type { RowAction } from '#web/list/list-props.ts'
import { usePhone } from '#web/theme/usePhone.ts'
import type { Merchant, merchants } from './contract.ts'
import { MerchantFacts } from './MerchantFacts.tsx'
import { STEP_WORDS, stepOf, useStatusStep } from './MerchantStatusStep.tsx'
import { StatusText } from './MerchantTexts.tsx'
import styles from './merchants.module.css'
import { mapOf, REFUSALS, refuseDisabled, STORE_KINDS, termLeft } from './rules.ts'
import { MerchantTimeline, useCall, useShopTools, useTrade } from './slots.tsx'

const merchantsApi = api<typeof merchants>('merchants')
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
  const session = useSession()
  if (details.isError) return <LoadFailure error={details.error} onRetry={() => void details.refetch()} />
  if (!details.data) return <LoadingLines lines={12} />
  const merchant = details.data
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
      {editing && options.isError && (
        <LoadFailure error={options.error} onRetry={() => void options.refetch()} />
      )}
      {editing && !options.isError && (
        <Suspense fallback={<LoadingLines lines={12} />}>
          {options.data ? (
            <MerchantEditForm merchant={merchant} options={options.data} onClose={() => setEditing(false)} />
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
  const history = useHistory()
  const tools = useShopTools()
  const mending = tools.actionsOf(merchant)
  const lock = refuseDisabled(merchant.status)
  const action = stepOf(merchant.status)
  const sold = [
    ...trade.actionsOf(merchant),
    ...history.actionsOf({ kind: 'merchant', id: merchant.id, name: merchant.shopName }),
  ]
  return (
    <header className={styles.merchantHeading}>
      <div className={styles.merchantHeadingName}>
        <h2>{merchant.shopName}</h2>
        <span className={styles.aside}>
          ID {merchant.id} · {STORE_KINDS[merchant.storeKind]} · <StatusText status={merchant.status} />
        </span>
        <DaysLeft expiresAt={merchant.expiresAt} />
      </div>
      {!editing && (
        <>
          <Reach merchant={merchant} sold={sold.filter(({ key }) => key in REACHED_BY)} />
          <div className={styles.merchantHeadingActions}>
            {sold
              .filter(({ key }) => !(key in REACHED_BY))
              .map(({ key, label, onClick, disabled, reads }) => (
                <Button key={key} changes={!reads} disabled={disabled} onClick={onClick}>
                  {label}
                </Button>
              ))}
            {mending.length > 0 && (
              <Menu label="售后工具" button="售后工具" className={buttonLook()} items={mending} align="end" />
            )}
            <Permit permission="shopAccess.handOver">
              <Link className={buttonLook()} to="/admin/merchant/handOver" search={{ user_id: merchant.id }}>
                开店资料
              </Link>
            </Permit>
            {session.permissions.includes('merchants.status') && (
              <Button changes busy={step.busy} onClick={() => step.ask(merchant)}>
                {STEP_WORDS[action]}
              </Button>
            )}
            {session.permissions.includes('merchants.edit') && (
              <Button kind="primary" disabled={lock && REFUSALS[lock]} onClick={onEdit}>
                编辑
              </Button>
            )}
          </div>
        </>
      )}
      {trade.dialog}
      {tools.dialog}
      {history.drawer}
    </header>
  )
}

/** Until when it runs, as people ask it. */
function DaysLeft({ expiresAt }: Pick<Merchant, 'expiresAt'>) {
  if (expiresAt === null) return <p className={styles.daysLeft}>永久有效</p>
  const { text, tone } = termLeft(expiresAt, new Date())
  return (
    <p className={styles.daysLeft} data-tone={tone}>
      <b>{text}</b> <Instant at={expiresAt} />
    </p>
  )
}

/** What is sold at once beside the call, with its sign. */
const REACHED_BY: Record<string, (props: { size: 20 }) => ReactNode> = {
  version: IconRenew,
  sms: IconMessage,
}

type ReachProps = { merchant: Merchant; sold: readonly RowAction[] }

/** What somebody in the shop, or on the way to it, does first. */
function Reach({ merchant, sold }: ReachProps) {
  const call = useCall()(merchant)
  const phone = usePhone()
  return (
    <div className={styles.reach}>
      <Pressable action={call} className={buttonLook()}>
        {call.icon}
        {phone ? '拨打' : call.label}
      </Pressable>
      {sold.map(({ key, label, onClick, disabled, reads }) => {
        const Icon = REACHED_BY[key] as (typeof REACHED_BY)[string]
        return (
          <Button key={key} changes={!reads} icon={<Icon size={20} />} disabled={disabled} onClick={onClick}>
            {phone && key === 'version' ? '续费' : label}
          </Button>
        )
      })}
      <a
        className={buttonLook()}
        href={mapOf(merchant.fullAddress, phone, navigator.userAgent)}
        target="_blank"
        rel="noreferrer"
      >
        <IconPlace size={20} />
        地图
      </a>
      <Button icon={<IconShare size={20} />} onClick={() => void share(cardOf(merchant))}>
        分享
      </Button>
    </div>
  )
}

/** A shop as it is told to a colleague. */
function cardOf({ shopName, personName, account, fullAddress, versionName, expiresAt }: Merchant) {
  const term = expiresAt === null ? '永久' : `${formatDay(expiresAt)} 到期`
  return {
    title: shopName,
    text: [shopName, `${personName} ${account}`, fullAddress, `${versionName}，${term}`].join('\n'),
  }
}
