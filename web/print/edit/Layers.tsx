import type { KeyboardEvent } from 'react'
import { selectedAfter } from '#kit/print/edit/boxes.ts'
import { changedItems, itemName } from '#kit/print/edit/draft.ts'
import { Button } from '../../controls/Button.tsx'
import { IconLocked, IconUnlocked } from './EditIcons.tsx'
import styles from './side.module.css'
import type { Editor } from './useEditor.ts'

type Props = { editor: Editor; faulty: ReadonlySet<string> }

/** All items, the front one first; arrows go from one to the next. */
export function Layers({ editor, faulty }: Props) {
  const items = [...editor.draft.label.items].reverse()
  const { selected } = editor
  if (items.length === 0) return <p className={styles.hint}>还没有元素。从「元素」中点选或拖到画布上。</p>
  const at = Math.max(
    items.findIndex(({ id }) => id === selected.at(-1)),
    0,
  )
  return (
    <ul className={styles.layers} aria-label="图层，上面的在前" onKeyDown={step}>
      {items.map((item, index) => (
        <li key={item.id} data-selected={selected.includes(item.id) || undefined}>
          <button
            type="button"
            tabIndex={index === at ? 0 : -1}
            aria-pressed={selected.includes(item.id)}
            onClick={event =>
              editor.select(
                selectedAfter(selected, [item.id], event.shiftKey || event.ctrlKey || event.metaKey),
              )
            }
          >
            <span>{itemName(item)}</span>
            {faulty.has(item.id) && <em>有问题</em>}
          </button>
          <Button
            kind="quiet"
            tabIndex={index === at ? 0 : -1}
            aria-label={`${item.locked ? '解锁' : '锁定'}${itemName(item)}`}
            aria-pressed={item.locked}
            icon={item.locked ? <IconLocked /> : <IconUnlocked />}
            onClick={() => editor.change(draft => changedItems(draft, [item.id], { locked: !item.locked }))}
          />
        </li>
      ))}
    </ul>
  )
}

function step(event: KeyboardEvent<HTMLUListElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (by === undefined) return
  event.preventDefault()
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('li > button:first-child')]
  const at = rows.findIndex(row => row.parentElement?.contains(document.activeElement))
  rows[(at + by + rows.length) % rows.length]?.focus()
}
