import {
  ALIGNMENT_KEYS,
  ALIGNMENTS,
  type Alignment,
  catalogueItem,
  FONT_SIZES,
  type FontSize,
  type ReceiptItem,
  SHOP_NAME_ITEM,
} from '#kit/print/receipt.ts'
import { look } from '#web/controls/look.ts'
import { Check } from '#web/form/Check.tsx'
import { ItemOrder } from './ItemOrder.tsx'
import styles from './receipts.module.css'
import { GROUP_LIMITS } from './rules.ts'

type Props = { items: readonly ReceiptItem[]; onChange: (items: ReceiptItem[]) => void }

/** What a group holds: shown always or not, under which name, how large and where. */
export function GroupItems({ items, onChange }: Props) {
  const change = (id: number, changed: Partial<ReceiptItem>) =>
    onChange(items.map(item => (item.id === id ? { ...item, ...changed } : item)))
  return (
    <ItemOrder items={items} mayEdit onArrange={onChange}>
      {item => (
        <>
          <Required item={item} onChange={required => change(item.id, { required, checked: required })} />
          <ItemLook item={item} onChange={changed => change(item.id, changed)} />
        </>
      )}
    </ItemOrder>
  )
}

function Required({ item, onChange }: { item: ReceiptItem; onChange: (required: boolean) => void }) {
  const entry = catalogueItem(item.id)
  return (
    <Check
      checked={item.required}
      disabled={entry?.mustShow ? '必须显示，不能取消' : null}
      onChange={onChange}
    >
      {entry?.name}
    </Check>
  )
}

type LookProps = { item: ReceiptItem; onChange: (changed: Partial<ReceiptItem>) => void }

/** The name that is printed, its size and place; a text of one's own where it is one. */
export function ItemLook({ item, onChange }: LookProps) {
  const entry = catalogueItem(item.id)
  if (!entry) return null
  const { name, drawn } = entry
  const hasPlace = drawn === 'pair' || drawn === 'text' || drawn === 'title' || drawn === 'sign'
  const isFixed = item.id === SHOP_NAME_ITEM ? '店铺名称保存时固定为12号、居中' : undefined
  const hasSize = drawn !== 'barcode' && drawn !== 'qr' && drawn !== 'logo'
  return (
    <span className={styles.itemLook}>
      {drawn === 'text' ? (
        <input
          className={look.input}
          aria-label={`${name}的文字`}
          placeholder="打印的文字"
          maxLength={GROUP_LIMITS.text}
          value={item.text}
          onChange={event => onChange({ text: event.target.value })}
        />
      ) : (
        drawn !== 'logo' &&
        drawn !== 'title' && (
          <input
            className={look.input}
            aria-label={`${name}的显示名称`}
            placeholder={name}
            maxLength={GROUP_LIMITS.label}
            value={item.label}
            onChange={event => onChange({ label: event.target.value })}
          />
        )
      )}
      {hasSize && (
        <select
          className={look.select}
          aria-label={`${name}的字号`}
          data-tip={isFixed}
          disabled={isFixed !== undefined}
          value={item.fontSize === 12 ? 12 : 9}
          onChange={event => onChange({ fontSize: Number(event.target.value) as FontSize })}
        >
          {FONT_SIZES.map(size => (
            <option key={size} value={size}>
              {size} 号
            </option>
          ))}
        </select>
      )}
      {hasPlace && (
        <select
          className={look.select}
          aria-label={`${name}的对齐`}
          disabled={isFixed !== undefined}
          value={item.alignment}
          onChange={event => onChange({ alignment: Number(event.target.value) as Alignment })}
        >
          {ALIGNMENT_KEYS.map(key => (
            <option key={key} value={key}>
              {ALIGNMENTS[key]}
            </option>
          ))}
        </select>
      )}
    </span>
  )
}
