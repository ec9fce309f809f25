import { BuyerPrice } from '#features/office/prices/BuyerPrice.tsx'
import { formatDay } from '#kit/time.ts'
import { StatusTag, type Tone } from '#web/controls/StatusTag.tsx'
import { Stepper } from '#web/form/Stepper.tsx'
import { type TellUnread, UnreadContext } from '#web/form/useUnread.ts'
import { HOLDING_STATES, type HoldingState, LIMITS, SERVICE_UNITS, stateOf } from './rules.ts'
import type { Chosen, Offer, OfferPage } from './ServiceSale.tsx'
import styles from './services.module.css'

type Props = {
  page: OfferPage
  chosen: Chosen
  onChoose: (serviceId: number, count: number) => void
  /** How the counter of a service says what is wrong with what is typed in it. */
  unreadOf: (serviceId: number) => TellUnread
}

const DAY_MS = 86_400_000

/** Every group with its services: what the shop has, what one costs, and how many are wanted. */
export function ServiceGroups({ page, chosen, onChoose, unreadOf }: Props) {
  return page.groups.map(group => (
    <section key={group.id} className={styles.serviceGroup} aria-labelledby={`service-group-${group.id}`}>
      <header>
        <h2 id={`service-group-${group.id}`}>{group.name}</h2>
        <span>{group.remark}</span>
      </header>
      <ul>
        {group.services.map(offer => (
          <li key={offer.id} className={styles.service}>
            <div className={styles.serviceName}>
              <b>{offer.name}</b>
              <p>{offer.remark}</p>
            </div>
            <Holding offer={offer} now={page.now} />
            <div className={styles.servicePrice}>
              <BuyerPrice
                of={{ ...offer, discountBasisPoints: page.discountBasisPoints }}
                unit={`代币/${SERVICE_UNITS[offer.unit]}`}
              />
            </div>
            <div className={styles.serviceCount}>
              <UnreadContext value={unreadOf(offer.id)}>
                <Stepper
                  label={`${offer.name} ${offer.unit === 'year' ? '年数' : '数量'}`}
                  value={chosen[offer.id] ?? 0}
                  max={mostOf(offer)}
                  maxReason={`最多 ${mostOf(offer)} ${SERVICE_UNITS[offer.unit]}`}
                  unit={SERVICE_UNITS[offer.unit]}
                  refusal={page.refusal?.message ?? offer.refusal?.message ?? null}
                  onChange={count => onChoose(offer.id, count)}
                />
              </UnreadContext>
              {page.refusal === null && <Reason offer={offer} />}
              <Retired offer={offer} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  ))
}

function mostOf(offer: Offer): number {
  return offer.unit === 'year' ? LIMITS.yearsMax : LIMITS.piecesMax - offer.quantity
}

const TONES: Record<HoldingState, Tone> = { none: 'neutral', active: 'done', expired: 'problem' }

/** What the shop has of it now. */
function Holding({ offer, now }: { offer: Offer; now: string }) {
  const state = stateOf(offer, now)
  if (offer.unit === 'piece')
    return (
      <div className={styles.serviceState}>
        <StatusTag tone={offer.quantity > 0 ? 'done' : 'neutral'}>
          {offer.quantity > 0 ? `已购 ${offer.quantity} 个` : '未购买'}
        </StatusTag>
      </div>
    )
  return (
    <div className={styles.serviceState}>
      <StatusTag tone={TONES[state]}>{HOLDING_STATES[state]}</StatusTag>
      {state !== 'none' && (
        <span className={styles.serviceNote}>
          {offer.expiresAt === null ? '长期有效' : `到期 ${formatDay(offer.expiresAt)}`}
        </span>
      )}
    </div>
  )
}

/** Of a retired one that the shop has and may renew: until which day. */
function Retired({ offer: { enabled, refusal, renewUntil } }: { offer: Offer }) {
  if (enabled || refusal?.code === 'SERVICE_UNKNOWN') return null
  const until = renewUntil === null ? '' : `至 ${formatDay(new Date(Date.parse(renewUntil) - 1))}`
  return <span className={styles.serviceNote}>已停售，仅可续费{until}</span>
}

/** Why it cannot be bought; of a service that runs, from when it can be renewed. */
function Reason({ offer }: { offer: Offer }) {
  if (!offer.refusal) return null
  if (offer.refusal.code === 'ALREADY_ACTIVE' && offer.expiresAt !== null) {
    const from = new Date(Date.parse(offer.expiresAt) - LIMITS.renewalDays * DAY_MS)
    return <span className={styles.serviceNote}>{formatDay(from)} 起可续费</span>
  }
  return <span className={styles.serviceNote}>{offer.refusal.message}</span>
}
