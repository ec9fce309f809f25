import { useState } from 'react'
import { formatCount } from '#kit/money.ts'
import { IconBack } from '../controls/icons.tsx'
import { look } from '../controls/look.ts'
import { FormElement, SENDS } from '../form/FormElement.tsx'
import styles from './ListPager.module.css'

export const SIZES = [10, 20, 30, 50, 100]
const AROUND = 2

type Props = {
  page: number
  size: number
  total: number
  /** There are more than were counted. */
  totalCapped: boolean
  /** The page holds as many rows as it can, so another may follow. */
  fullPage: boolean
  onPage: (page: number) => void
  onSize: (size: number) => void
  /** The cursor is near a page's button. */
  onNear: (page: number) => void
}

/** Total, sizes, previous, pages, next, jumper (D3 §9). */
export function ListPager({ page, size, total, totalCapped, fullPage, onPage, onSize, onNear }: Props) {
  const counted = Math.max(Math.ceil(total / size), 1)
  const last = totalCapped ? Math.max(counted, page + (fullPage ? 1 : 0)) : counted
  const step = (to: number, label: string, flip = false) => (
    <button
      type="button"
      className={styles.pagerStep}
      aria-label={label}
      data-flip={flip || undefined}
      disabled={to < 1 || to > last}
      onClick={() => onPage(to)}
      onPointerEnter={() => to >= 1 && to <= last && onNear(to)}
    >
      <IconBack />
    </button>
  )
  return (
    <nav className={styles.pager} aria-label="分页">
      <span className={styles.pagerTotal} aria-live="polite">
        共 {formatCount(total)}
        {totalCapped && '+'} 条
      </span>
      <select
        className={look.select}
        aria-label="每页条数"
        value={SIZES.includes(size) ? size : ''}
        onChange={event => onSize(Number(event.target.value))}
      >
        {!SIZES.includes(size) && <option value="">{size} 条/页</option>}
        {SIZES.map(choice => (
          <option key={choice} value={choice}>
            {choice} 条/页
          </option>
        ))}
      </select>
      <div className={styles.pagerPages}>
        {step(page - 1, '上一页')}
        {pagesAround(page, last).map((shown, index, all) => (
          <span key={shown} className={styles.pagerSlot}>
            {index > 0 && shown - (all[index - 1] as number) > 1 && <i aria-hidden="true">…</i>}
            <button
              type="button"
              aria-label={`第 ${shown} 页`}
              aria-current={shown === page ? 'page' : undefined}
              onClick={() => shown !== page && onPage(shown)}
              onPointerEnter={() => shown !== page && onNear(shown)}
            >
              {formatCount(shown)}
            </button>
          </span>
        ))}
        <span className={styles.pagerHere}>
          {page} / {last}
          {totalCapped && '+'}
        </span>
        {step(page + 1, '下一页', true)}
      </div>
      <Jumper last={last} totalCapped={totalCapped} onPage={onPage} />
    </nav>
  )
}

function Jumper({
  last,
  totalCapped,
  onPage,
}: {
  last: number
  totalCapped: boolean
  onPage: (page: number) => void
}) {
  const [text, setText] = useState('')
  const go = () => {
    const wanted = Number(text)
    setText('')
    if (Number.isInteger(wanted) && wanted >= 1) onPage(totalCapped ? wanted : Math.min(wanted, last))
  }
  return (
    <FormElement className={styles.pagerJump} onSubmit={go}>
      <label>
        前往
        <input
          {...SENDS}
          className={look.input}
          inputMode="numeric"
          aria-label="前往页码"
          value={text}
          onChange={event => setText(event.target.value.replace(/\D/g, '').slice(0, 6))}
        />
        页
      </label>
    </FormElement>
  )
}

/** First, last, and those around the current page. */
function pagesAround(page: number, last: number): number[] {
  const pages = new Set([1, last])
  const from = Math.max(1, Math.min(page - AROUND, last - 2 * AROUND))
  for (let shown = from; shown <= Math.min(last, from + 2 * AROUND); shown++) pages.add(shown)
  return [...pages].filter(shown => shown >= 1).sort((a, b) => a - b)
}
