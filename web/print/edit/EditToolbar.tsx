import type { ReactNode } from 'react'
import {
  ALIGNMENTS,
  type Alignment,
  align,
  distribute,
  equalGaps,
  type Moves,
  type reorder,
} from '#kit/print/edit/align.ts'
import { moved } from '#kit/print/edit/draft.ts'
import type { Drawn } from '#kit/print/edit/measure.ts'
import { Button } from '../../controls/Button.tsx'
import { roving } from '../../keys/roving.ts'
import type { CanvasOptions } from './Canvas.tsx'
import styles from './canvas.module.css'
import {
  ALIGN_ICONS,
  IconBackward,
  IconCopy,
  IconFit,
  IconFront,
  IconGrid,
  IconGuides,
  IconLocked,
  IconMagnet,
  IconPaste,
  IconRedo,
  IconRemove,
  IconUndo,
  IconZoomIn,
  IconZoomOut,
  SPREAD_ICONS,
} from './EditIcons.tsx'
import { lock } from './useCanvasKeys.ts'
import type { Editor } from './useEditor.ts'
import type { View } from './useView.ts'

type Props = {
  editor: Editor
  drawn: readonly Drawn[]
  view: View
  options: CanvasOptions
  onOptions: (options: CanvasOptions) => void
  onGuides: () => void
  clipboard: { copy: () => void; paste: () => void }
  onRemove: () => void
  onOrder: (how: Parameters<typeof reorder>[2]) => void
}

const NOTHING = '请先选择元素'

/** Over the canvas: each is also a key, which `?` lists. */
export function EditToolbar(props: Props) {
  const { editor, view, options, onOptions, clipboard } = props
  const none = editor.selected.length === 0 && NOTHING
  return (
    <div role="toolbar" aria-label="编辑工具" className={styles.toolbar} {...roving}>
      <Group>
        <Tool
          label="撤销"
          keys="Ctrl Z"
          icon={<IconUndo />}
          disabled={!editor.canUndo && '没有可撤销的步骤'}
          onClick={editor.undo}
        />
        <Tool
          label="重做"
          keys="Ctrl Y"
          icon={<IconRedo />}
          disabled={!editor.canRedo && '没有可重做的步骤'}
          onClick={editor.redo}
        />
      </Group>
      <Group>
        <Tool label="复制元素" keys="Ctrl C" icon={<IconCopy />} disabled={none} onClick={clipboard.copy} />
        <Tool label="粘贴元素" keys="Ctrl V" icon={<IconPaste />} onClick={clipboard.paste} />
        <Tool label="删除元素" keys="Delete" icon={<IconRemove />} disabled={none} onClick={props.onRemove} />
      </Group>
      <LineUp {...props} />
      <Group>
        <Tool
          label="置于前面"
          keys="}"
          icon={<IconFront />}
          disabled={none}
          onClick={() => props.onOrder('front')}
        />
        <Tool
          label="置于后面"
          keys="{"
          icon={<IconBackward />}
          disabled={none}
          onClick={() => props.onOrder('back')}
        />
        <Tool
          label="锁定或解锁"
          keys="Ctrl L"
          icon={<IconLocked />}
          disabled={none}
          onClick={() => lock(editor, editor.selected)}
        />
      </Group>
      <span className={styles.spring} />
      <Group>
        <Tool
          label="网格"
          icon={<IconGrid />}
          pressed={options.grid}
          onClick={() => onOptions({ ...options, grid: !options.grid })}
        />
        <Tool
          label="吸附对齐"
          icon={<IconMagnet />}
          pressed={options.lines}
          onClick={() => onOptions({ ...options, lines: !options.lines })}
        />
        <Tool label="参考线" icon={<IconGuides />} onClick={props.onGuides} />
      </Group>
      <Group>
        <Tool label="缩小" keys="-" icon={<IconZoomOut />} onClick={() => view.zoomBy(0.8)} />
        <Tool label="适合窗口" keys="0" icon={<IconFit />} onClick={view.fit} />
        <Tool label="放大" keys="+" icon={<IconZoomIn />} onClick={() => view.zoomBy(1.25)} />
      </Group>
    </div>
  )
}

function LineUp({ editor, drawn }: Props) {
  const going = drawn.filter(one => editor.selected.includes(one.id) && !one.item.locked)
  const { label } = editor.draft
  const go = (moves: Moves, words: string) => {
    editor.change(draft => moved(draft, moves))
    editor.say(`已${words}`)
  }
  const few = going.length < 3 && '请选择三个以上的元素'
  return (
    <>
      <Group>
        {(Object.keys(ALIGNMENTS) as Alignment[]).map(how => (
          <Tool
            key={how}
            label={ALIGNMENTS[how]}
            icon={ALIGN_ICONS[how]}
            disabled={going.length === 0 && NOTHING}
            onClick={() => go(align(going, how, label), ALIGNMENTS[how])}
          />
        ))}
      </Group>
      <Group>
        <Tool
          label="水平居中分布"
          icon={SPREAD_ICONS.distributeX}
          disabled={few}
          onClick={() => go(distribute(going, 'x'), '水平居中分布')}
        />
        <Tool
          label="垂直居中分布"
          icon={SPREAD_ICONS.distributeY}
          disabled={few}
          onClick={() => go(distribute(going, 'y'), '垂直居中分布')}
        />
        <Tool
          label="水平等间距"
          icon={SPREAD_ICONS.gapX}
          disabled={few}
          onClick={() => go(equalGaps(going, 'x'), '水平等间距')}
        />
        <Tool
          label="垂直等间距"
          icon={SPREAD_ICONS.gapY}
          disabled={few}
          onClick={() => go(equalGaps(going, 'y'), '垂直等间距')}
        />
      </Group>
    </>
  )
}

const Group = ({ children }: { children: ReactNode }) => <span className={styles.tools}>{children}</span>

type ToolProps = {
  label: string
  keys?: string
  icon: ReactNode
  disabled?: string | false
  pressed?: boolean
  onClick: () => void
}

function Tool({ label, keys, icon, disabled, pressed, onClick }: ToolProps) {
  return (
    <Button
      kind="quiet"
      aria-label={label}
      aria-pressed={pressed}
      tip={keys ? `${label}（${keys}）` : label}
      icon={icon}
      disabled={disabled ? `${label}：${disabled}` : null}
      onClick={onClick}
    />
  )
}
