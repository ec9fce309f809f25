// A choice of many on a phone: a control like the others, and a sheet with a search above its entries.
import { type ReactNode, useId, useState } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../../controls/Button.tsx'
import { IconDown } from '../../controls/icons.tsx'
import { look } from '../../controls/look.ts'
import { Dialog } from '../Dialog.tsx'
import type { ControlProps } from '../Field.tsx'
import styles from './ChoiceSheet.module.css'

type SheetProps = Partial<ControlProps> & {
  /** Above the sheet; the control's name where it has no label of its own. */
  name: string
  'aria-label'?: string | undefined
  'aria-labelledby'?: string | undefined
  placeholder?: string | undefined
  /** What is chosen, in words. */
  shown: string | undefined
  disabled?: boolean | undefined
  /** Takes back what is chosen; absent where that cannot be. */
  onClear?: (() => void) | undefined
  /** What the sheet holds. */
  children: (close: () => void) => ReactNode
}

export function ChoiceSheet({ name, placeholder, shown, onClear, onBlur, children, ...rest }: SheetProps) {
  const [open, setOpen] = useState(false)
  const sheetId = useId()
  // Left once the sheet is: only then a missing choice is broken.
  const close = () => {
    setOpen(false)
    onBlur?.()
  }
  return (
    <>
      <button
        {...rest}
        type="button"
        role="combobox"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={sheetId}
        className={`${look.select} ${styles.control}`}
        data-empty={shown === undefined || undefined}
        onClick={() => setOpen(true)}
      >
        <span>{shown ?? placeholder}</span>
        <IconDown />
      </button>
      {open &&
        // Not inside the control's label, which would press it again.
        createPortal(
          <Dialog
            title={name}
            dirty={false}
            onClose={close}
            footer={
              onClear &&
              shown !== undefined && (
                <Button
                  onClick={() => {
                    onClear()
                    close()
                  }}
                >
                  清除选择
                </Button>
              )
            }
          >
            <div id={sheetId} className={styles.sheet} data-part="choices">
              {children(close)}
            </div>
          </Dialog>,
          document.body,
        )}
    </>
  )
}

type Entry = { key: string | number; text: string; isChosen?: boolean; isFolder?: boolean }

type EntriesProps<E extends Entry> = {
  name: string
  typed: string
  onType: (typed: string) => void
  /** Undefined while they are on their way. */
  entries: readonly E[] | undefined
  notFound?: string | undefined
  onChoose: (entry: E) => void
  /** Between the search and the entries. */
  head?: ReactNode
}

/** What is searched and chosen in the sheet. */
export function SheetEntries<E extends Entry>(props: EntriesProps<E>) {
  const { name, typed, onType, entries, notFound = '没有匹配的选项', onChoose, head } = props
  return (
    <>
      <input
        type="search"
        className={look.input}
        placeholder="搜索"
        aria-label={`搜索${name}`}
        autoComplete="off"
        value={typed}
        onChange={event => onType(event.target.value)}
      />
      {head}
      <ul aria-label={name} tabIndex={-1} data-autofocus>
        {entries?.map(entry => (
          <li key={entry.key}>
            <button
              type="button"
              aria-current={entry.isChosen || undefined}
              data-folder={entry.isFolder || undefined}
              onClick={() => onChoose(entry)}
            >
              {entry.text}
              {entry.isFolder && <IconDown />}
            </button>
          </li>
        ))}
        {entries?.length === 0 && <li className={styles.none}>{notFound}</li>}
        {entries === undefined && <li className={styles.none}>加载中</li>}
      </ul>
    </>
  )
}
