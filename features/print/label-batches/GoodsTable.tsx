import type { KeyboardEvent } from 'react'
import { COPIES_HEAD } from '#kit/print/batch/fields.ts'
import { entryOf } from '#kit/print/label-items.ts'
import { look } from '#web/controls/look.ts'
import { PageCheckbox, RowCheckbox } from '#web/list/ListSelection.tsx'
import type { ListSelection } from '#web/list/useListSelection.ts'
import { usePhone } from '#web/theme/usePhone.ts'
import styles from './goods.module.css'
import type { Copies, Good } from './useGoods.tsx'

/** Beside the name. */
const SHOWN = ['itemNumber', 'barcode', 'spec', 'retailPrice'] as const
const headOf = (key: string) => entryOf(key)?.name ?? key

type Props = { goods: readonly Good[]; selection: ListSelection<Good>; copies: Copies; busy: boolean }

/** Goods to tick: as a table, on a phone as cards. */
export function GoodsTable(props: Props) {
  const phone = usePhone()
  return phone ? <GoodsCards {...props} /> : <GoodsRows {...props} />
}

/** Arrows go to the same box of the row above and below. */
function onArrow(event: KeyboardEvent<HTMLElement>): void {
  const { key, target } = event
  if ((key !== 'ArrowDown' && key !== 'ArrowUp') || !(target instanceof HTMLInputElement)) return
  event.preventDefault()
  const row = target.closest('tr')
  const other = key === 'ArrowDown' ? row?.nextElementSibling : row?.previousElementSibling
  const box = other?.querySelector<HTMLInputElement>(`input[type="${target.type}"]`)
  box?.focus()
}

function GoodsRows({ goods, selection, copies, busy }: Props) {
  return (
    <section className={styles.list} aria-label="商品">
      <table className={styles.table} aria-busy={busy}>
        <thead>
          <tr>
            <th scope="col" className={styles.pick}>
              <PageCheckbox rows={goods} selection={selection} />
            </th>
            <th scope="col">{headOf('productName')}</th>
            {SHOWN.map(key => (
              <th key={key} scope="col" data-column={key}>
                {headOf(key)}
              </th>
            ))}
            <th scope="col" className={styles.copies}>
              {COPIES_HEAD}
            </th>
          </tr>
        </thead>
        <tbody onKeyDown={onArrow}>
          {goods.map(good => (
            <tr key={good.key} data-picked={selection.has(good) || undefined}>
              <td className={styles.pick}>
                <RowCheckbox row={good} name={nameOf(good)} selection={selection} />
              </td>
              <th scope="row">
                {nameOf(good)}
                {good.data.category && <small>{good.data.category}</small>}
              </th>
              {SHOWN.map(key => (
                <td key={key} data-column={key}>
                  {good.data[key] ?? ''}
                </td>
              ))}
              <td className={styles.copies}>
                {selection.has(good) && <CopiesOf good={good} copies={copies} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function GoodsCards({ goods, selection, copies, busy }: Props) {
  return (
    <section aria-label="商品" aria-busy={busy}>
      <div className={styles.all}>
        <PageCheckbox rows={goods} selection={selection} text="本页全选" />
      </div>
      <ul className={styles.cards}>
        {goods.map(good => (
          <li key={good.key} data-picked={selection.has(good) || undefined}>
            <RowCheckbox row={good} name={nameOf(good)} selection={selection} />
            <div>
              <p className={styles.name}>{nameOf(good)}</p>
              <p className={look.quiet}>
                {[...SHOWN, 'category'].flatMap(key => good.data[key] || []).join(' · ')}
              </p>
            </div>
            {selection.has(good) && <CopiesOf good={good} copies={copies} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

const nameOf = ({ data }: Good) => data.productName ?? ''

function CopiesOf({ good, copies }: { good: Good; copies: Copies }) {
  return (
    <input
      type="text"
      className={look.input}
      inputMode="numeric"
      autoComplete="off"
      maxLength={6}
      aria-label={`${nameOf(good)}${COPIES_HEAD}`}
      aria-invalid={copies.isWrong(good) || undefined}
      value={copies.of(good)}
      onChange={({ target }) => copies.set(good, target.value)}
    />
  )
}
