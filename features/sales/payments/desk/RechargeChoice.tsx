import type { payments } from '#features/sales/payments/contract.ts'
import type { Wanted } from '#features/sales/payments/PayDialog.tsx'
import {
  packPrice,
  type RechargePrice,
  refusePieces,
  refuseTokens,
  START_REFUSALS,
  smsPrice,
  tokenPrice,
} from '#features/sales/payments/rules.ts'
import type { Asked } from '#kit/declare/form.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCents, formatCount, parseCents } from '#kit/money.ts'
import { notACount, parseCount } from '#kit/words/count.ts'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Choice } from '#web/form/Choice.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import type { Broken, FieldsOf } from '#web/form/useForm.ts'
import { SMS_TOPUP } from './fields.ts'
import styles from './recharge.module.css'

export type Offer = Out<typeof payments.offer>

/** What is chosen and typed; `null` package: the typed number. */
export type SmsChoice = { packageId: number | null; pieces: string }

type NumberProps<Name extends string> = {
  form: FieldsOf<Record<Name, string>>
  name: Name
  field: Asked[string]
  label?: string
  onChange: (text: string) => void
}

/** How much one wants, in one's own number. */
export function RechargeNumber<Name extends string>(props: NumberProps<Name>) {
  const { form, name, field, label = field.label, onChange } = props
  const id = form.idOf(name)
  const refusal = form.messageOf(name)
  return (
    <div className={styles.rechargeNumber}>
      <label htmlFor={id}>{label}</label>
      <TextInput
        id={id}
        inputMode={field.control.inputMode}
        unit={field.unit}
        placeholder={field.control.placeholder}
        value={form.draft[name]}
        onChange={onChange}
        aria-invalid={refusal !== null}
        aria-describedby={`${id}-refusal`}
      />
      <span id={`${id}-refusal`} className={styles.rechargeRefusal} role="alert">
        {refusal}
      </span>
    </div>
  )
}

type SmsProps = { offer: Offer; form: FieldsOf<SmsChoice>; onChange: (choice: SmsChoice) => void }

/** What one gets for how much, with the offer where one applies. */
function PackLabel({ offer, pack }: { offer: Offer; pack: Offer['packages'][number] }) {
  const price = packPrice(pack, termsOf(offer, pack))
  return (
    <>
      <b>
        {formatCount(pack.pieces)} 条{price.bonus > 0 && ` 送 ${formatCount(price.bonus)} 条`}
      </b>
      <Costs price={price} />
    </>
  )
}

function Costs({ price, per = '' }: { price: RechargePrice; per?: string }) {
  const { originalFen, amountFen } = price
  return (
    <span>
      {price.offer !== undefined && (
        <>
          <StatusTag tone="attention">{price.offer}</StatusTag>{' '}
        </>
      )}
      {amountFen < originalFen && (
        <>
          <s className={look.quiet}>¥{formatCents(originalFen)}</s>{' '}
        </>
      )}
      ¥{formatCents(amountFen)}
      {per}
    </span>
  )
}

const termsOf = ({ discountBasisPoints }: Offer, { conditions }: Pick<Offer, 'conditions'>) => ({
  discountBasisPoints,
  conditions,
})

/** Packages, and a number of one's own. */
export function SmsPackages({ offer, form, onChange }: SmsProps) {
  const { packageId, pieces } = form.draft
  const packages = offer.packages.map(pack => ({
    value: pack.id as number | null,
    // What is offered says more than half a row holds.
    wide: packPrice(pack, termsOf(offer, pack)).offer !== undefined,
    label: <PackLabel offer={offer} pack={pack} />,
  }))
  const own = {
    value: null,
    wide: true,
    label: (
      <>
        <b>自定义条数</b>
        <Costs price={smsPrice(100, offer.smsHundredFen, termsOf(offer, offer))} per=" / 100 条" />
      </>
    ),
  }
  return (
    <div className={styles.rechargePackages}>
      <p aria-hidden="true">{SMS_TOPUP.packageId.label}</p>
      <Choice
        label={SMS_TOPUP.packageId.label}
        look="rows"
        options={[...packages, own]}
        value={packageId}
        onChange={chosen => onChange({ packageId: chosen, pieces })}
      />
      {packageId === null && (
        <RechargeNumber
          form={form}
          name="pieces"
          field={SMS_TOPUP.pieces}
          onChange={typed => onChange({ packageId: null, pieces: typed.trim() })}
        />
      )}
    </div>
  )
}

/** What it costs and what is given beside it, in words; or the rule that it breaks. */
type Known = { wanted: Wanted; text: string; price: RechargePrice }
export type Priced = Known | { refusal: string }

export function brokenPrice(priced: Priced, field: string): Broken | null {
  return 'refusal' in priced ? { field, message: priced.refusal } : null
}

const shownOf = ({ amountFen, bonus }: RechargePrice) => ({ amountFen, bonus })

export function priceOfPack(offer: Offer, pack: Offer['packages'][number]): Known {
  const price = packPrice(pack, termsOf(offer, pack))
  return {
    wanted: { asset: 'sms', packageId: pack.id, ...shownOf(price) },
    text: `${formatCount(pack.pieces)} 条短信`,
    price,
  }
}

/** What the choice costs, or the rule that it breaks. */
export function priceOfSms(offer: Offer, { packageId, pieces }: SmsChoice): Priced {
  const chosen = offer.packages.find(row => row.id === packageId)
  if (chosen) return priceOfPack(offer, chosen)
  const count = parseCount(pieces)
  if (pieces !== '' && count === null) return { refusal: notACount(SMS_TOPUP.pieces.label, pieces) }
  const code = refusePieces(count)
  if (code || count === null) return { refusal: START_REFUSALS[code ?? 'COUNT_REQUIRED'] }
  const price = smsPrice(count, offer.smsHundredFen, termsOf(offer, offer))
  return {
    wanted: { asset: 'sms', pieces: count, ...shownOf(price) },
    text: `${formatCount(count)} 条短信`,
    price,
  }
}

export function priceOfTokens(offer: Offer, typed: string): Priced {
  const cents = parseCents(typed)
  if (typed !== '' && cents === null) return { refusal: START_REFUSALS.TOKENS_FORMAT }
  const code = refuseTokens(cents)
  if (code || cents === null) return { refusal: START_REFUSALS[code ?? 'COUNT_REQUIRED'] }
  const price = tokenPrice(cents, offer.tokenFen, termsOf(offer, offer))
  return {
    wanted: { asset: 'token', tokenCents: cents, ...shownOf(price) },
    text: `${formatCents(cents)} 代币`,
    price,
  }
}
