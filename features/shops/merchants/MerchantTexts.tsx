// How a shop's facts are written and coloured, the same in the list and in the details.
import { daysBetween } from '#kit/time.ts'
import { Instant, PhoneNumber } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { MERCHANT_FIELDS } from './fields.ts'
import styles from './merchants.module.css'
import {
  MERCHANT_STATUSES,
  type MerchantStatus,
  SOON_DAYS,
  VERIFICATION_STATUSES,
  type VerificationStatus,
} from './rules.ts'

export function StatusText({ status }: { status: MerchantStatus }) {
  return <StatusTag tone={MERCHANT_FIELDS.status.tones[status]}>{MERCHANT_STATUSES[status]}</StatusTag>
}

/** A refusal's reason is the tooltip, and is read out. */
export function VerificationText({ status, refusal }: { status: VerificationStatus; refusal: string }) {
  const reason = status === 'failed' && refusal !== '' ? refusal : undefined
  return (
    <StatusTag tone={MERCHANT_FIELDS.verificationStatus.tones[status]} tip={reason}>
      {VERIFICATION_STATUSES[status]}
      {reason !== undefined && <span className={look.visuallyHidden}>：{reason}</span>}
    </StatusTag>
  )
}

/** Orange within 30 days, red when past, 永久 without an end. */
export function ExpiryText({ expiresAt }: { expiresAt: string | null }) {
  if (expiresAt === null) return <span>永久</span>
  const left = new Date(expiresAt).getTime() - Date.now()
  const tone = left < 0 ? 'problem' : left < SOON_DAYS * 86_400_000 ? 'attention' : undefined
  const hint = left < 0 ? '已到期' : tone === 'attention' ? `${SOON_DAYS}天内到期` : undefined
  return (
    <span className={styles.toned} data-tone={tone} data-tip={hint}>
      <Instant at={expiresAt} />
    </span>
  )
}

export function AccountText({ merchant }: { merchant: { account: string; registeredAt: string } }) {
  return (
    <span>
      <PhoneNumber number={merchant.account} />
      <span className={styles.aside}>已用 {daysUsed(merchant.registeredAt)} 天</span>
    </span>
  )
}

function daysUsed(registeredAt: string): number {
  return Math.max(daysBetween(registeredAt, new Date()), 0)
}

export function daysOverdue(expiresAt: string): number {
  return Math.max(daysBetween(expiresAt, new Date()), 0)
}
