import { catalogueItem, LOGO_ITEM, type PlacedGroup, type ReceiptItem } from '#kit/print/receipt.ts'
import type { Logos } from '#kit/print/receipt-scene.ts'
import { Button } from '#web/controls/Button.tsx'
import { Check } from '#web/form/Check.tsx'
import { EmptyState } from '#web/form/LoadStates.tsx'
import { Tabs } from '#web/form/Tabs.tsx'
import { ItemOrder } from './ItemOrder.tsx'
import { LogoField } from './LogoField.tsx'
import styles from './receipts.module.css'
import type { GroupRow } from './receiptsApi.tsx'
import { isOutdated } from './rules.ts'
import type { Placing } from './useReceiptDraft.tsx'

type Props = {
  placing: Placing
  groups: readonly GroupRow[]
  mayEdit: boolean
  logos: Logos | null
  onBusy: (busy: boolean) => void
}

const ALL = 'all'

/** What each chosen group shows, and all of them at once. */
export function PlacedTabs(props: Props) {
  const { placing, mayEdit } = props
  const { placed, chosen, choose } = placing
  if (placed.length === 0) return <EmptyState title="暂无小票样式">从下方添加信息分组</EmptyState>
  return (
    <div>
      <Tabs
        shown={chosen === null ? ALL : String(chosen)}
        onChange={key => choose(key === ALL ? null : Number(key))}
        tabs={[
          {
            key: ALL,
            label: '全部',
            content: placed.map(group => (
              <fieldset key={group.groupId} className={styles.checks}>
                <legend>{group.name}</legend>
                <Checks group={group} placing={placing} mayEdit={mayEdit} />
              </fieldset>
            )),
          },
          ...placed.map((group, at) => ({
            key: String(group.groupId),
            label: group.name,
            content: <One {...props} group={group} at={at} />,
          })),
        ]}
      />
    </div>
  )
}

type OneProps = Props & { group: PlacedGroup; at: number }

function One({ group, at, placing, groups, mayEdit, logos, onBusy }: OneProps) {
  const { groupId, name } = group
  const now = groups.find(({ id }) => id === groupId)
  return (
    <>
      {mayEdit && (
        <div className={styles.deeds}>
          <Button
            disabled={at === 0 && '已在最前'}
            aria-label={`上移${name}`}
            onClick={() => placing.moveTo(groupId, at - 1)}
          >
            上移
          </Button>
          <Button
            disabled={at === placing.placed.length - 1 && '已在最后'}
            aria-label={`下移${name}`}
            onClick={() => placing.moveTo(groupId, at + 1)}
          >
            下移
          </Button>
          <Button aria-label={`移除${name}`} onClick={() => placing.remove(groupId)}>
            移除
          </Button>
        </div>
      )}
      {!now && <p className={styles.note}>这个分组已被删除，模板里保留了加入时的内容。</p>}
      {now && mayEdit && isOutdated(group, now) && (
        <p className={styles.note}>
          分组有更新，模板里是加入时的内容。
          <Button kind="link" onClick={() => placing.renew(now)}>
            更新到最新
          </Button>
        </p>
      )}
      {!group.items.some(item => item.required || item.checked) && (
        <p className={styles.note}>还没有勾选内容，小票上不会出现这一块。</p>
      )}
      <ItemOrder items={group.items} mayEdit={mayEdit} onArrange={items => placing.arrange(groupId, items)}>
        {item => (
          <>
            <ItemCheck {...{ group, item, placing, mayEdit }} />
            {mayEdit && item.id === LOGO_ITEM && (item.checked || item.required) && (
              <LogoField
                {...{ id: `logo-${groupId}`, picture: item.picture, logos, onBusy }}
                onChange={picture => placing.draw(groupId, item.id, picture)}
              />
            )}
          </>
        )}
      </ItemOrder>
    </>
  )
}

type ChecksProps = { group: PlacedGroup; placing: Placing; mayEdit: boolean }

function Checks({ group, placing, mayEdit }: ChecksProps) {
  return group.items.map(item => <ItemCheck key={item.id} {...{ group, item, placing, mayEdit }} />)
}

function ItemCheck({ group, item, placing, mayEdit }: ChecksProps & { item: ReceiptItem }) {
  return (
    <Check
      checked={item.required || item.checked}
      disabled={item.required ? '必显内容，不能取消' : !mayEdit}
      onChange={checked => placing.check(group.groupId, item.id, checked)}
    >
      {item.label || catalogueItem(item.id)?.name}
    </Check>
  )
}
