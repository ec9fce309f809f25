import { changedItems, moved } from '#kit/print/edit/draft.ts'
import type { Drawn } from '#kit/print/edit/measure.ts'
import { LABEL_LIMITS } from '#kit/print/label.ts'
import { around } from '#kit/print/scene.ts'
import { umOfMm } from '#kit/print/units.ts'
import { Check } from '../../form/Check.tsx'
import { LengthEntry, Pair, Panel, PointsEntry } from './Entry.tsx'
import styles from './panel.module.css'
import type { Editor } from './useEditor.ts'

const PLACE = { least: 0, most: umOfMm(310) }

/** What can be said of several at once. */
export function GroupPanel({ editor, selected }: { editor: Editor; selected: readonly Drawn[] }) {
  const ids = selected.map(({ id }) => id)
  const box = around(selected.map(one => one.box))
  const [first] = selected
  if (!box || !first) return null
  const isLocked = selected.every(({ item }) => item.locked)
  const shift = (dx: number, dy: number, key: string) =>
    editor.change(draft => moved(draft, new Map(ids.map(id => [id, { dx, dy }]))), key)
  return (
    <div>
      <Panel title={`已选择 ${selected.length} 项`}>
        <Pair>
          <LengthEntry
            label="左"
            value={box.left}
            limits={PLACE}
            disabled={isLocked}
            onChange={left => shift(left - box.left, 0, 'group-left')}
          />
          <LengthEntry
            label="上"
            value={box.top}
            limits={PLACE}
            disabled={isLocked}
            onChange={top => shift(0, top - box.top, 'group-top')}
          />
        </Pair>
        <Pair>
          <PointsEntry
            label="字号"
            value={first.item.fontSize}
            limits={LABEL_LIMITS.fontSize}
            onChange={fontSize =>
              editor.change(draft => changedItems(draft, ids, { fontSize }), 'group-font')
            }
          />
        </Pair>
        <Check
          checked={isLocked}
          onChange={locked => editor.change(draft => changedItems(draft, ids, { locked }))}
        >
          锁定位置
        </Check>
        <p className={styles.hint}>对齐、分布和等间距在画布上方。按住 Shift 点选可增减所选。</p>
      </Panel>
    </div>
  )
}
