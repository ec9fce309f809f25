import type { Out } from '#kit/declare/op.ts'
import { formatCount } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { look } from '#web/controls/look.ts'
import type { purchases } from './contract.ts'
import styles from './purchases.module.css'

export type Effect = Out<typeof purchases.quote>['effects'][number]

/** What a purchase changes at each shop: expiry, version and number of shops, before and after. */
export function Effects({ effects }: { effects: readonly Effect[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
    <section className={styles.effects} tabIndex={0} aria-label="购买前后">
      <ul>
        {effects.map(effect => (
          <li key={effect.merchantId}>
            <div className={styles.effectShop}>
              {effect.shopName}
              <span className={look.quiet}>ID {effect.merchantId}</span>
            </div>
            <dl>
              <Change
                label="到期"
                before={ends(effect.expiresBefore)}
                after={ends(effect.expiresAfter)}
                always
              />
              <Change label="版本" before={effect.versionBefore} after={effect.versionAfter} />
              <Change
                label="店铺数"
                before={`${formatCount(effect.shopsBefore)} 家`}
                after={`${formatCount(effect.shopsAfter)} 家`}
              />
            </dl>
            <Converted remainingDays={effect.remainingDays} convertedDays={effect.convertedDays} />
          </li>
        ))}
      </ul>
    </section>
  )
}

type ConvertedProps = { remainingDays: number | null; convertedDays: number | null }

/** What the rest of the present version becomes; nothing where nothing is left or nothing converts. */
export function Converted({ remainingDays, convertedDays }: ConvertedProps) {
  if (!remainingDays || convertedDays === null) return null
  return (
    <p className={look.quiet}>
      原版本剩余 {formatCount(remainingDays)} 天折算为 {formatCount(convertedDays)} 天
    </p>
  )
}

type ChangeProps = { label: string; before: string; after: string; always?: boolean }

/** One fact before and after; what stays the same is left out unless `always`. */
function Change({ label, before, after, always }: ChangeProps) {
  if (before === after && !always) return null
  return (
    <div className={styles.effect}>
      <dt>{label}</dt>
      <dd>
        {before === after ? (
          `${after}（不变）`
        ) : (
          <>
            <span>{before}</span>
            <span>
              <span aria-hidden="true">→ </span>
              <span className={look.visuallyHidden}>变为</span>
              <b>{after}</b>
            </span>
          </>
        )}
      </dd>
    </div>
  )
}

function ends(expiresAt: string | null): string {
  return expiresAt === null ? '永久' : formatInstant(expiresAt)
}
