import { type DragEvent, useId, useState } from 'react'
import {
  COLUMN_WIDTH_MAX,
  COLUMN_WIDTH_MIN,
  type ColumnSetting,
  movedColumn,
  orderedColumns,
  settingsOf,
} from '#kit/declare/columns.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { brokenOf, meantBy } from '#kit/declare/form.ts'
import { Button } from '../controls/Button.tsx'
import { IconBack, IconDrag } from '../controls/icons.tsx'
import { look } from '../controls/look.ts'
import { StatusTag } from '../controls/StatusTag.tsx'
import { Dialog } from '../form/Dialog.tsx'
import styles from './ColumnsDialog.module.css'

export type ToolbarColumn = { key: string; title: string; width?: number; fixed?: 'start' | 'end' }

const DEFAULT_WIDTH = 120

type Props = {
  columns: readonly ToolbarColumn[]
  settings: readonly ColumnSetting[]
  onChange: (settings: readonly ColumnSetting[]) => void
  onClose: () => void
}

/** Which columns a list shows, in which order and how wide. Everything holds at once. */
export default function ColumnsDialog({ columns, settings, onChange, onClose }: Props) {
  const [dragged, setDragged] = useState<string | null>(null)
  const ordered = orderedColumns(columns, settings)
  const all = settingsOf(columns, settings)
  const byKey = new Map(all.map(setting => [setting.key, setting]))
  const movable = ordered.filter(column => column.fixed === undefined)
  const shown = ordered.filter(column => column.fixed !== undefined || !byKey.get(column.key)?.hidden)
  const set = (key: string, changed: Partial<ColumnSetting>) =>
    onChange(all.map(setting => (setting.key === key ? { ...setting, ...changed } : setting)))
  const move = (key: string, to: string | undefined) => {
    if (to !== undefined && to !== key) onChange(movedColumn(all, key, to))
  }
  return (
    <Dialog
      title="列设置"
      width={480}
      dirty={false}
      onClose={onClose}
      footer={
        <>
          <Button disabled={settings.length === 0 && '已是默认设置'} onClick={() => onChange([])}>
            恢复默认
          </Button>
          <Button kind="primary" changes={false} onClick={onClose}>
            完成
          </Button>
        </>
      }
    >
      <ol className={styles.columnsList}>
        {ordered.map(column => {
          const at = movable.indexOf(column)
          const isLast = shown.length === 1 && shown[0] === column
          return (
            <ColumnRow
              key={column.key}
              column={column}
              setting={byKey.get(column.key)}
              hideRefusal={column.fixed ? '固定列不能隐藏' : isLast ? '至少保留一列' : null}
              isDragged={dragged === column.key}
              onSet={changed => set(column.key, changed)}
              up={at > 0 ? () => move(column.key, movable[at - 1]?.key) : null}
              down={at >= 0 && at < movable.length - 1 ? () => move(column.key, movable[at + 1]?.key) : null}
              onDrag={isDragging => setDragged(isDragging ? column.key : null)}
              onOver={event => {
                if (dragged === null || column.fixed) return
                event.preventDefault()
                move(dragged, column.key)
              }}
            />
          )
        })}
      </ol>
    </Dialog>
  )
}

type RowProps = {
  column: ToolbarColumn
  setting: ColumnSetting | undefined
  hideRefusal: string | null
  isDragged: boolean
  onSet: (changed: Partial<ColumnSetting>) => void
  up: (() => void) | null
  down: (() => void) | null
  onDrag: (isDragging: boolean) => void
  onOver: (event: DragEvent) => void
}

function ColumnRow({ column, setting, hideRefusal, isDragged, onSet, up, down, onDrag, onOver }: RowProps) {
  return (
    <li
      className={styles.columnsRow}
      data-dragged={isDragged || undefined}
      draggable={column.fixed === undefined}
      onDragStart={event => {
        event.dataTransfer.effectAllowed = 'move'
        onDrag(true)
      }}
      onDragEnd={() => onDrag(false)}
      onDragOver={onOver}
      onDrop={event => event.preventDefault()}
    >
      <IconDrag className={styles.columnsDrag} data-fixed={column.fixed} />
      <label className={styles.columnsName} data-tip={hideRefusal ?? undefined}>
        <input
          type="checkbox"
          checked={hideRefusal !== null || !setting?.hidden}
          aria-disabled={hideRefusal !== null || undefined}
          onChange={event => {
            if (hideRefusal === null) onSet({ hidden: event.target.checked ? undefined : true })
          }}
        />
        {column.title}
        {column.fixed && <StatusTag tone="neutral">固定</StatusTag>}
      </label>
      <WidthInput
        title={column.title}
        width={setting?.width}
        usual={column.width ?? DEFAULT_WIDTH}
        onSet={width => onSet({ width })}
      />
      <Button
        kind="quiet"
        icon={<IconBack className={styles.columnsUp} />}
        aria-label={`上移 ${column.title}`}
        disabled={up === null}
        onClick={() => up?.()}
      />
      <Button
        kind="quiet"
        icon={<IconBack className={styles.columnsDown} />}
        aria-label={`下移 ${column.title}`}
        disabled={down === null}
        onClick={() => down?.()}
      />
    </li>
  )
}

type WidthProps = {
  title: string
  width: number | undefined
  usual: number
  onSet: (width: number | undefined) => void
}

const WIDTH = {
  width: {
    kind: 'count',
    label: '列宽',
    min: COLUMN_WIDTH_MIN,
    max: COLUMN_WIDTH_MAX,
    nullable: true,
    control: { as: 'number' },
  },
} as const satisfies Fields

/** Taken when it is left; an empty one is the list's own, and what is no width stays there and is refused. */
function WidthInput({ title, width, usual, onSet }: WidthProps) {
  const id = useId()
  const [text, setText] = useState<string | null>(null)
  const [message, setMessage] = useState<string | null>(null)
  const take = () => {
    if (text === null) return
    const meant = meantBy(WIDTH, { width: text })
    const [broken] = brokenOf(WIDTH, meant)
    setMessage(broken?.message ?? null)
    if (broken) return
    setText(null)
    const wanted = meant.width ?? undefined
    if (wanted !== width) onSet(wanted)
  }
  return (
    <span className={styles.columnsWidth}>
      <input
        className={look.input}
        inputMode="numeric"
        aria-label={`${title} 列宽`}
        aria-invalid={message !== null}
        aria-describedby={message === null ? undefined : id}
        placeholder={String(usual)}
        value={text ?? width ?? ''}
        onChange={event => {
          setText(event.target.value)
          setMessage(null)
        }}
        onBlur={take}
        onKeyDown={event => {
          if (event.key === 'Enter') take()
        }}
      />
      像素
      {message !== null && (
        <span id={id} role="alert" className={styles.columnsBroken}>
          {message}
        </span>
      )}
    </span>
  )
}
