import { useState } from 'react'
import { droppedOnSave } from '#kit/print/edit/draft.ts'
import { LABEL_LIMITS } from '#kit/print/label.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { Tabs } from '#web/form/Tabs.tsx'
import { Canvas } from '#web/print/edit/Canvas.tsx'
import { EditToolbar } from '#web/print/edit/EditToolbar.tsx'
import { GroupPanel } from '#web/print/edit/GroupPanel.tsx'
import { GuideDialog } from '#web/print/edit/GuideDialog.tsx'
import { ItemPanel } from '#web/print/edit/ItemPanel.tsx'
import { Layers } from '#web/print/edit/Layers.tsx'
import { Palette } from '#web/print/edit/Palette.tsx'
import { ProofDock } from '#web/print/edit/ProofDock.tsx'
import { usePhone } from '#web/theme/usePhone.ts'
import styles from './designer.module.css'
import { LabelPanel } from './LabelPanel.tsx'
import { SampleChoice, sampleWith } from './SampleChoice.tsx'
import type { Designer as Parts } from './useDesigner.tsx'

type Props = { parts: Parts; form: Parameters<typeof LabelPanel>[0]['form']; onBusy: (busy: boolean) => void }

/** Palette and layers, canvas with its proof, and what can be said of what is selected. */
export function Designer({ parts, form, onBusy }: Props) {
  const phone = usePhone()
  const { editor, drawn, view, guides, keys, clipboard } = parts
  const [asksGuide, setAsksGuide] = useState(false)
  return (
    <div className={styles.designer}>
      {!phone && <Side parts={parts} />}
      <div className={styles.middle}>
        {phone ? (
          <p className={styles.phoneNote}>设计器适合在宽屏上使用。手机上可查看效果、修改属性。</p>
        ) : (
          <EditToolbar
            {...{ editor, drawn, view, clipboard }}
            options={parts.options}
            onOptions={parts.setOptions}
            onRemove={keys.remove}
            onOrder={keys.order}
            onGuides={() => setAsksGuide(true)}
          />
        )}
        <Canvas
          {...{ editor, drawn, view, still: phone }}
          drawOne={parts.drawOne}
          glyphs={parts.glyphs}
          faulty={parts.faulty}
          svg={parts.svg}
          options={parts.options}
          guides={guides}
          marks={keys.marks}
          onKeyDown={keys.onKeyDown}
          clipboard={clipboard.handlers}
        />
        <div className={styles.below}>
          <SampleChoice sample={parts.sample} onChange={parts.setSample} />
          <p id="label-canvas-keys" className={look.visuallyHidden}>
            上一个、下一个元素用 PageUp、PageDown 选择，方向键移动 0.1 毫米
          </p>
          <Place parts={parts} />
        </div>
        <Dropped parts={parts} />
        <ProofDock
          proof={parts.proof}
          onLongest={() => parts.setSample(sampleWith('longest', parts.sample.shop))}
          onSelect={id => {
            editor.select([id])
            view.scroller.current?.focus()
          }}
        />
      </div>
      <Properties parts={parts} form={form} onBusy={onBusy} />
      {asksGuide && <GuideDialog {...{ guides, editor }} onClose={() => setAsksGuide(false)} />}
    </div>
  )
}

function Side({ parts }: { parts: Parts }) {
  const [tab, setTab] = useState('items')
  const { editor } = parts
  const { items } = editor.draft.label
  return (
    <aside className={styles.side} aria-label="元素和图层">
      <Tabs
        shown={tab}
        onChange={setTab}
        tabs={[
          {
            key: 'items',
            label: '元素',
            content: (
              <Palette
                board={parts.view.scroller}
                full={items.length >= LABEL_LIMITS.items}
                onAdd={parts.add}
              />
            ),
          },
          {
            key: 'layers',
            label: `图层 ${items.length}`,
            content: <Layers editor={editor} faulty={parts.faulty} />,
          },
        ]}
      />
    </aside>
  )
}

/** What was last done, read aloud and seen. */
function Place({ parts }: { parts: Parts }) {
  return (
    <p className={styles.place} aria-live="polite">
      {parts.editor.said}
    </p>
  )
}

/** Said before a save leaves them out (D3 §5). */
function Dropped({ parts }: { parts: Parts }) {
  const below = droppedOnSave(parts.editor.draft.label)
  if (below.length === 0) return null
  return (
    <p className={styles.warning} role="status">
      {below.length} 个元素在标签下边缘之外，保存时会被去掉。
      <Button kind="link" onClick={() => parts.editor.select(below.map(({ id }) => id))}>
        选择它们
      </Button>
    </p>
  )
}

function Properties({ parts, form, onBusy }: Props) {
  const { editor, drawn } = parts
  const selected = drawn.filter(({ id }) => editor.selected.includes(id))
  const [one] = selected
  return (
    <aside className={styles.properties} aria-label="属性">
      {one && selected.length === 1 ? (
        <ItemPanel key={one.id} editor={editor} item={one.item} />
      ) : selected.length > 1 ? (
        <GroupPanel editor={editor} selected={selected} />
      ) : (
        <LabelPanel editor={editor} form={form} onBusy={onBusy} />
      )}
    </aside>
  )
}
