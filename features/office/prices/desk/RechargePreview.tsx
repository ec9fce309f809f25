import { FULL } from '#features/office/prices/rules.ts'
import { packPrice } from '#features/sales/payments/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { countText, formatCents } from '#kit/money.ts'
import type { priceDesk } from './contract.ts'
import styles from './price-desk.module.css'
import { type NewCampaign, refuseGives } from './rules.ts'

export type Item = Out<typeof priceDesk.choices>['items'][number]

/** Packages that are shown. */
const SHOWN = 5

/** What a campaign makes of the packages that it is on, at what they cost now. Nothing as long as it is not whole. */
export function RechargePreview({ asked, items }: { asked: NewCampaign; items: readonly Item[] }) {
  if (refuseGives(asked) !== null) return null
  const packs = items.flatMap(({ item, name, pack }) =>
    pack && (asked.items === null || asked.items.includes(item)) ? [{ item, name, pack }] : [],
  )
  const conditions = { minimums: {}, offers: [asked] }
  return (
    packs.length > 0 && (
      <section className={styles.preview} aria-label="预览">
        <table>
          <thead>
            <tr>
              <th scope="col">套餐</th>
              <th scope="col" data-align="right">
                到账
              </th>
              <th scope="col" data-align="right">
                支付（元）
              </th>
            </tr>
          </thead>
          <tbody>
            {packs.slice(0, SHOWN).map(({ item, name, pack }) => {
              const { bonus, amountFen } = packPrice(pack, { discountBasisPoints: FULL, conditions })
              return (
                <tr key={item}>
                  <td>{name}</td>
                  <td data-align="right">
                    {countText(pack.pieces + bonus, '条')}
                    {bonus > 0 && `，其中赠送 ${countText(bonus, '条')}`}
                  </td>
                  <td data-align="right">{formatCents(amountFen)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </section>
    )
  )
}
