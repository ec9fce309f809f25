import { catalogueItem, LOGO_ITEM, type PlacedGroup, type ReceiptItem } from '#kit/print/receipt.ts'
import type { Logos } from '#kit/print/receipt-scene.ts'
import { look } from '#web/controls/look.ts'
import { Check } from '#web/form/Check.tsx'
import { readNumber, useTypedNumber } from '#web/print/edit/Entry.tsx'
import { ItemLook } from './GroupItems.tsx'
import { ItemOrder } from './ItemOrder.tsx'
import { LogoField } from './LogoField.tsx'
import styles from './receipts.module.css'

type Props = {
  group: PlacedGroup
  mayEdit: boolean
  logos: Logos | null
  onBusy: (busy: boolean) => void
  onChange: (item: ReceiptItem, changed: Partial<ReceiptItem>) => void
  onArrange: (items: ReceiptItem[]) => void
}

const GAP = { least: 0, most: 60 }

type GapProps = { name: string; value: number; onChange: (value: number) => void }

function Gap({ name, value, onChange }: GapProps) {
  const read = (typed: string) => Math.round(readNumber(typed))
  const number = { label: '留白', unit: '点', step: 1, limits: GAP, text: String, read }
  const { change, box, refused } = useTypedNumber({ ...number, value, onChange })
  return (
    <>
      <label className={styles.gap} data-tip="下方留白，一行字高 18">
        留白
        <input
          {...box}
          className={look.input}
          inputMode="numeric"
          maxLength={4}
          aria-label={`${name}下方留白`}
          onChange={({ target }) => change(target.value)}
        />
      </label>
      {refused}
    </>
  )
}

/** What a group of this template shows, and how. */
export function DesignItems({ group, mayEdit, logos, onBusy, onChange, onArrange }: Props) {
  return (
    <fieldset className={styles.design1} disabled={!mayEdit}>
      <legend>{group.name}</legend>
      <ItemOrder items={group.items} mayEdit={mayEdit} onArrange={onArrange}>
        {item => {
          const name = catalogueItem(item.id)?.name ?? ''
          return (
            <>
              <Check
                checked={item.required || item.checked}
                disabled={item.required ? '必显内容，不能取消' : null}
                onChange={checked => onChange(item, { checked })}
              >
                {name}
              </Check>
              {(item.required || item.checked) && (
                <>
                  <ItemLook item={item} onChange={changed => onChange(item, changed)} />
                  <Gap
                    name={name}
                    value={item.marginBottom}
                    onChange={marginBottom => onChange(item, { marginBottom })}
                  />
                  {mayEdit && item.id === LOGO_ITEM && (
                    <LogoField
                      {...{ id: `logo-${group.groupId}`, picture: item.picture, logos, onBusy }}
                      onChange={picture => onChange(item, { picture: picture ?? undefined })}
                    />
                  )}
                </>
              )}
            </>
          )
        }}
      </ItemOrder>
    </fieldset>
  )
}
