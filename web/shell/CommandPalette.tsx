import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { initialsOf } from '#kit/pinyin.ts'
import { Dialog } from '../form/Dialog.tsx'
import { IconSearch } from '../icons.tsx'
import type { MenuItem } from '../session.ts'
import styles from './CommandPalette.module.css'
import type { Finder, FoundThing, ShellPage } from './Shell.tsx'

const WAIT_MS = 250

type Props = {
  menu: readonly MenuItem[]
  pages: readonly ShellPage[]
  find: Finder | null
  onClose: () => void
}

type Found = { text: string; things: FoundThing[]; failed: boolean }

/** Goes to a page, or to a thing found by number, name or phone; all by keyboard. */
export default function CommandPalette({ menu, pages: known, find, onClose }: Props) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const wanted = text.trim()
  const found = useFound(wanted, find)
  const pages = pagesIn(menu).filter(page => isMeant(page, wanted.toLowerCase(), known))
  const entries = [...pages, ...found.things]
  const list = useRef<HTMLDivElement>(null)
  const chosen = entries[Math.min(at, entries.length - 1)]
  useEffect(() => {
    if (chosen) document.getElementById(optionId(chosen))?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const go = (entry: FoundThing) => {
    onClose()
    void navigate({ href: entry.href } as never)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && chosen) {
      // The focus goes back to the button that opened this; the same key press must not press it again.
      event.preventDefault()
      go(chosen)
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined || entries.length === 0) return
    event.preventDefault()
    setAt((Math.min(at, entries.length - 1) + step + entries.length) % entries.length)
  }
  const group = (name: string, shown: readonly FoundThing[]) =>
    shown.length > 0 && (
      // biome-ignore lint/a11y/useSemanticElements: options of a list box are grouped by role.
      <div role="group" aria-label={name}>
        <div className={styles.paletteGroup} aria-hidden="true">
          {name}
        </div>
        {shown.map(entry => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled in the text box, where the focus stays.
          <div
            key={entry.key}
            id={optionId(entry)}
            role="option"
            tabIndex={-1}
            aria-selected={entry === chosen}
            className={styles.paletteEntry}
            onClick={() => go(entry)}
            onPointerMove={() => setAt(entries.indexOf(entry))}
          >
            <span>{entry.label}</span>
            <small>{entry.hint}</small>
          </div>
        ))}
      </div>
    )
  const title = find ? `搜索页面和${find.name}` : '搜索页面'
  return (
    <Dialog bare title={title} width={560} dirty={false} onClose={onClose}>
      <div className={styles.paletteBox}>
        <IconSearch />
        <input
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={chosen && optionId(chosen)}
          aria-label={title}
          placeholder={find ? `页面、${find.hint}` : '页面'}
          maxLength={50}
          autoComplete="off"
          value={text}
          onChange={event => {
            setText(event.target.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div ref={list} id="palette-list" role="listbox" aria-label="结果" className={styles.paletteList}>
        {group('页面', pages)}
        {find && group(find.name, found.things)}
      </div>
      <p className={styles.paletteNote} aria-live="polite">
        {noteOf(wanted, found, entries.length, find?.name)}
      </p>
    </Dialog>
  )
}

function noteOf(wanted: string, found: Found, entries: number, name: string | undefined): string {
  if (found.failed) return `${name}没有查到，请稍后再试`
  if (wanted !== '' && name !== undefined && found.text !== wanted) return `正在查找${name}`
  if (entries === 0) return name === undefined ? '没有匹配的页面' : `没有匹配的页面或${name}`
  return '↑ ↓ 选择，回车打开，Esc 关闭'
}

/** What `find` knows about the text, asked after a pause; an answer to an older text is dropped. */
function useFound(wanted: string, find: Props['find']): Found {
  const [found, setFound] = useState<Found>({ text: '', things: [], failed: false })
  const asked = useRef(find)
  asked.current = find
  useEffect(() => {
    let current = true
    if (wanted === '') return setFound({ text: '', things: [], failed: false })
    const timer = setTimeout(() => {
      asked.current?.ask(wanted).then(
        things => current && setFound({ text: wanted, things, failed: false }),
        () => current && setFound({ text: wanted, things: [], failed: true }),
      )
    }, WAIT_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [wanted])
  return found
}

function pagesIn(menu: readonly MenuItem[], group = ''): FoundThing[] {
  return menu.flatMap(item =>
    item.children.length > 0
      ? pagesIn(item.children, item.name)
      : [{ key: item.key, label: item.name, hint: group, href: item.path }],
  )
}

/** By its name, by the first letters of how that is read, or by another word for it. */
function isMeant({ label, href }: FoundThing, wanted: string, pages: readonly ShellPage[]): boolean {
  const words = pages.find(page => page.path === href)?.words ?? []
  return [label, initialsOf(label), ...words].some(name => name.toLowerCase().includes(wanted))
}

function optionId(entry: FoundThing): string {
  return `palette-${entry.key.replaceAll(/\W/g, '-')}`
}
