// How times, money, phones and copied texts look, the same everywhere.
import { formatCents, formatCount } from '#kit/money.ts'
import { formatInstant, formatMinute } from '#kit/time.ts'
import { usePhone } from '../theme/usePhone.ts'
import { copyText } from './copy.ts'
import { look } from './look.ts'

type MoneyProps = {
  cents: number
  /** Movements: + and − before the amount, what came in in green; what was spent is no problem and stays black. */
  signed?: boolean
}

/** An amount with two decimals; its unit stands in the header. */
export function Money({ cents, signed }: MoneyProps) {
  const text = formatCents(cents)
  if (!signed) return <span className={look.number}>{text}</span>
  return (
    <span className={look.number} data-sign={cents > 0 ? 'plus' : undefined}>
      {cents > 0 ? `+${text}` : text.replace('-', '−')}
    </span>
  )
}

export function Count({ value }: { value: number }) {
  return <span className={look.number}>{formatCount(value)}</span>
}

type InstantProps = { at: string | null; none?: string; toMinute?: boolean | undefined }

/** A time in Asia/Shanghai; `none` when there is no time. */
export function Instant({ at, none = '—', toMinute = false }: InstantProps) {
  if (at === null) return <span className={look.quiet}>{none}</span>
  const [day, time] = (toMinute ? formatMinute(at) : formatInstant(at)).split(' ')
  return (
    <time className={look.number} dateTime={at}>
      <span>{day}</span> <span>{time}</span>
    </time>
  )
}

/** Text that a double click copies, whole in its tooltip when it is cut. */
export function Copyable({ text, shown, tip }: { text: string; shown?: string; tip?: string }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut of the pointer; the text itself can be selected.
    <span
      data-tip={tip ?? (shown !== undefined && shown !== text ? text : undefined)}
      onDoubleClick={event => {
        event.stopPropagation()
        void copyText(text)
      }}
    >
      {shown ?? text}
    </span>
  )
}

/** The address that calls a number. */
export function telephone(number: string): string {
  return `tel:${number}`
}

/** A number that somebody is called at: pressed on a phone it is dialled, at a desk a double click copies it. A masked one is neither. */
export function PhoneNumber({ number }: { number: string }) {
  const phone = usePhone()
  if (number.includes('*')) return <span className={look.number}>{number}</span>
  if (!phone)
    return (
      <span className={look.number}>
        <Copyable text={number} tip="双击复制" />
      </span>
    )
  return (
    <a className={`${look.number} ${look.inText}`} href={telephone(number)}>
      {number}
    </a>
  )
}

/** "6.5 折" from 6500; without discount "无折扣". */
export function discountText(basisPoints: number): string {
  if (basisPoints >= 10_000) return '无折扣'
  return `${basisPoints / 1_000} 折`
}
