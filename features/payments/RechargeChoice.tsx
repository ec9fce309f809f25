import { formatCents, formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { TextInput } from '#web/form/TextField.tsx'
import type { payments } from './contract.ts'
import type { Wanted } from './PayDialog.tsx'
import styles from './payments.module.css'
import { refusePieces, refuseTokens, START_REFUSALS, smsAmountFen, tokenAmountFen } from './rules.ts'

export type Offer = Out<typeof payments.offer>

/** What is chosen and typed; `null` package: the typed number. */
export type SmsChoice = { packageId: number | null; pieces: string }

export const COUNT_REQUIRED = START_REFUSALS.COUNT_REQUIRED

type SmsProps = {
  offer: Offer
  value: SmsChoice
  onChange: (value: SmsChoice) => void
  refusal: string | null
}

/** Packages, and a number of one's own. */
export function SmsPackages({ offer, value, onChange, refusal }: SmsProps) {
  return (
    <fieldset className={styles.rechargePackages}>
      <legend>短信套餐</legend>
      {offer.packages.map(row => (
        <label key={row.id} className={styles.rechargePackage}>
          <input
            type="radio"
            name="recharge-package"
            checked={row.id === value.packageId}
            onChange={() => onChange({ ...value, packageId: row.id })}
          />
          <b>{formatCount(row.pieces)} 条</b>
          <span>¥{formatCents(row.priceFen)}</span>
        </label>
      ))}
      <label className={`${styles.rechargePackage} ${styles.rechargePackageOwn}`}>
        <input
          type="radio"
          name="recharge-package"
          checked={value.packageId === null}
          onChange={() => onChange({ ...value, packageId: null })}
        />
        <b>自定义条数</b>
        <span>¥{formatCents(offer.smsHundredFen)} / 100 条</span>
      </label>
      {value.packageId === null && (
        <div className={styles.rechargeNumber}>
          <label htmlFor="recharge-pieces">充值数量</label>
          <TextInput
            id="recharge-pieces"
            inputMode="numeric"
            maxLength={9}
            value={value.pieces}
            unit="条"
            placeholder={COUNT_REQUIRED}
            aria-invalid={refusal !== null}
            aria-describedby="recharge-pieces-refusal"
            onChange={pieces => onChange({ packageId: null, pieces: pieces.trim() })}
          />
          <span id="recharge-pieces-refusal" className={styles.rechargeRefusal} role="alert">
            {refusal}
          </span>
        </div>
      )}
    </fieldset>
  )
}

export type Priced = { wanted: Wanted; fen: number; text: string } | { refusal: string }

/** What the choice costs, or the rule that it breaks. */
export function priceOfSms(offer: Offer, { packageId, pieces }: SmsChoice): Priced {
  const chosen = offer.packages.find(row => row.id === packageId)
  if (chosen)
    return {
      wanted: { asset: 'sms', packageId: chosen.id, amountFen: chosen.priceFen },
      fen: chosen.priceFen,
      text: `${formatCount(chosen.pieces)} 条短信`,
    }
  const count = /^\d{1,9}$/.test(pieces) ? Number(pieces) : 0
  const code = refusePieces(count)
  if (code) return { refusal: START_REFUSALS[code] }
  const fen = smsAmountFen(count, offer.smsHundredFen)
  return {
    wanted: { asset: 'sms', pieces: count, amountFen: fen },
    fen,
    text: `${formatCount(count)} 条短信`,
  }
}

export function priceOfTokens(offer: Offer, typed: string): Priced {
  const cents = /^\d{1,9}(\.\d{1,2})?$/.test(typed) ? Math.round(Number(typed) * 100) : 0
  const code = refuseTokens(cents)
  if (code) return { refusal: START_REFUSALS[code] }
  const fen = tokenAmountFen(cents, offer.tokenFen)
  return {
    wanted: { asset: 'token', tokenCents: cents, amountFen: fen },
    fen,
    text: `${formatCents(cents)} 代币`,
  }
}
