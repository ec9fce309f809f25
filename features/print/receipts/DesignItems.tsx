import { catalogueItem, LOGO_ITEM, type PlacedGroup, type ReceiptItem } from '#kit/print/receipt.ts'
import type { Logos } from '#kit/print/receipt-scene.ts'
import { look } from '#web/controls/look.ts'
import { Check } from '#web/form/Check.tsx'
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

const GAP_MOST = 60

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
                  <label className={styles.gap} data-tip="下方留白，一行字高 18">
                    留白
                    <input
                      className={look.input}
                      type="number"
                      min={0}
                      max={GAP_MOST}
                      aria-label={`${name}下方留白`}
                      value={item.marginBottom}
                      onChange={({ target }) =>
                        onChange(item, {
                          marginBottom: Math.max(
                            0,
                            Math.min(GAP_MOST, Math.round(Number(target.value) || 0)),
                          ),
                        })
                      }
                    />
                  </label>
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
