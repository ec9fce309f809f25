import { type DragEvent, type KeyboardEvent, useMemo } from 'react'
import { type Paper, previewPx, type ReceiptContent, sheetOf } from '#kit/print/receipt.ts'
import { sampleOfAll } from '#kit/print/receipt-samples.ts'
import type { Block, ReceiptPage } from '#kit/print/receipt-scene.ts'
import { Button } from '#web/controls/Button.tsx'
import { IconClose } from '#web/controls/icons.tsx'
import { EmptyState, LoadingLines } from '#web/form/LoadStates.tsx'
import { Preview } from '#web/print/Preview.tsx'
import styles from './receipts.module.css'
import type { Placing } from './useReceiptDraft.tsx'
import { type Laid, useReceiptPages } from './useReceiptPages.tsx'

type Props = { content: ReceiptContent; paper: Paper; placing: Placing; mayEdit: boolean }

/** The letters of 9 points are 3 mm high on paper. */
const PX_PER_MM = previewPx(9) / 3

/** The receipt as it is printed; a block is chosen by a click, moved by dragging or Shift with an arrow, taken away by its cross. */
export function BlockPreview({ content, paper, placing, mayEdit }: Props) {
  const data = useMemo(sampleOfAll, [])
  const papers = useMemo(() => [paper], [paper])
  const laid = useReceiptPages(content, data, papers)
  if (content[sheetOf(paper)].length === 0)
    return <EmptyState title="预览">添加信息分组后显示在这里</EmptyState>
  const [only] = laid ?? []
  if (!only) return <LoadingLines lines={12} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
    <section className={styles.paperBox} tabIndex={0} aria-label={`${paper}mm 小票`}>
      {only.pages.map((page, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: sheets have no name but their place.
        <PaperPage key={at} laid={only} page={page} placing={placing} mayEdit={mayEdit} />
      ))}
    </section>
  )
}

type PageProps = { laid: Laid; page: ReceiptPage; placing: Placing; mayEdit: boolean }

function PaperPage({ laid, page, placing, mayEdit }: PageProps) {
  return (
    <div className={styles.paper} style={{ width: laid.paper === 210 ? '100%' : laid.paper * PX_PER_MM }}>
      <Preview scene={page.scene} glyphs={laid.glyphs} label={`${laid.paper}mm 小票预览`} />
      {page.blocks.map(block => (
        <BlockFrame
          key={block.groupId}
          block={block}
          height={page.scene.height}
          placing={placing}
          mayEdit={mayEdit}
        />
      ))}
    </div>
  )
}

type FrameProps = { block: Block; height: number; placing: Placing; mayEdit: boolean }

function BlockFrame({ block, height, placing, mayEdit }: FrameProps) {
  const { placed, chosen, choose, moveTo, remove } = placing
  const { groupId } = block
  const at = placed.findIndex(group => group.groupId === groupId)
  const name = placed[at]?.name ?? ''
  const press = (event: KeyboardEvent) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!event.shiftKey || !step || !mayEdit) return
    event.preventDefault()
    moveTo(groupId, at + step)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    const id = Number(event.dataTransfer.getData('text/plain'))
    if (mayEdit && id) moveTo(id, at)
  }
  const percent = (part: number) => `${(part / height) * 100}%`
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is dragged here can be moved by keys on its button.
    <div
      className={styles.block}
      data-chosen={chosen === groupId || undefined}
      style={{ top: percent(block.top), height: percent(block.height) }}
      draggable={mayEdit}
      onDragStart={event => {
        event.dataTransfer.setData('text/plain', String(groupId))
        event.dataTransfer.effectAllowed = 'move'
      }}
      onDragOver={event => event.preventDefault()}
      onDrop={drop}
    >
      <button
        type="button"
        className={styles.blockFace}
        aria-label={`板块：${name}`}
        aria-pressed={chosen === groupId}
        aria-keyshortcuts="Shift+ArrowUp Shift+ArrowDown"
        data-tip={mayEdit ? `${name}，拖动或 Shift + ↑ / ↓ 排序` : name}
        onClick={() => choose(groupId)}
        onKeyDown={press}
      />
      {mayEdit && (
        <Button
          className={styles.blockClose}
          kind="quiet"
          icon={<IconClose />}
          aria-label={`移除板块：${name}`}
          onClick={() => remove(groupId)}
        />
      )}
    </div>
  )
}
