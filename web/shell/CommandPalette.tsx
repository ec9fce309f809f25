import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { cleanSearch } from '#kit/words/cleaned.ts'
import { initialsOf } from '#kit/words/pinyin.ts'
import { useNavigate } from '../client/navigation.ts'
import { afterPause } from '../client/ready.ts'
import type { MenuItem } from '../client/session.ts'
import { IconSearch } from '../controls/icons.tsx'
import { Dialog } from '../form/Dialog.tsx'
import styles from './CommandPalette.module.css'
import { isMeant } from './is-meant.ts'
import type { Finder, FoundThing, Palette, PaletteAction, ShellPage } from './shell-props.ts'

const WAIT_MS = 250

type Props = {
  menu: readonly MenuItem[]
  pages: readonly ShellPage[]
  load: () => Promise<Palette>
  onClose: () => void
}

/** Leads somewhere, or does something. */
type Entry = { key: string; label: string; hint: string; href: string } | PaletteAction
type Group = { name: string; entries: readonly Entry[] }

const NOTHING: Palette = { finders: [], actions: [] }

/** Goes to a page or a thing found by number or name, or does something; all by keyboard. */
export default function CommandPalette({ menu, pages: known, load, onClose }: Props) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const wanted = cleanSearch(text)
  const { finders, actions } = usePalette(load)
  const found = useFound(wanted, finders)
  const groups = meantOf(wanted, [
    { name: '页面', entries: pagesIn(menu, known) },
    { name: '操作', entries: actions },
  ]).concat(finders.map(({ name }) => ({ name, entries: found.get(name)?.things ?? [] })))
  const entries = groups.flatMap(group => group.entries)
  const chosen = entries[Math.min(at, entries.length - 1)]
  useEffect(() => {
    if (chosen) document.getElementById(optionId(chosen))?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const go = (entry: Entry) => {
    onClose()
    if ('run' in entry) entry.run()
    else void navigate({ href: entry.href })
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
  return (
    <Dialog bare title="全局搜索" width={560} dirty={false} onClose={onClose}>
      <div className={styles.paletteBox}>
        <IconSearch />
        <input
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={chosen && optionId(chosen)}
          aria-label="全局搜索"
          placeholder={['页面', '操作', ...finders.map(({ hint }) => hint)].join('、')}
          maxLength={64}
          autoComplete="off"
          value={text}
          onChange={event => {
            setText(event.target.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id="palette-list" role="listbox" aria-label="结果" className={styles.paletteList}>
        {groups.map(({ name, entries: shown }) =>
          shown.length === 0 ? null : (
            // biome-ignore lint/a11y/useSemanticElements: options of a list box are grouped by role.
            <div key={name} role="group" aria-label={name}>
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
          ),
        )}
      </div>
      <p className={styles.paletteNote} aria-live="polite">
        {noteOf(wanted, asked(wanted, finders), found, entries.length)}
      </p>
    </Dialog>
  )
}

function noteOf(wanted: string, finders: readonly Finder[], found: Found, entries: number): string {
  const failed = finders.filter(({ name }) => found.get(name)?.failed)
  if (failed.length > 0) return `${namesOf(failed)}查询失败，请稍后再试`
  const waiting = finders.filter(({ name }) => found.get(name)?.text !== wanted)
  if (waiting.length > 0) return `正在查找${namesOf(waiting)}`
  return entries === 0 ? '没有匹配的结果' : '↑ ↓ 选择，回车打开，Esc 关闭'
}

const namesOf = (finders: readonly Finder[]) => finders.map(({ name }) => name).join('、')

function usePalette(load: Props['load']): Palette {
  const [palette, setPalette] = useState(NOTHING)
  const first = useRef(load)
  useEffect(() => {
    let current = true
    void first.current().then(loaded => current && setPalette(loaded))
    return () => {
      current = false
    }
  }, [])
  return palette
}

/** What is meant of pages and actions. */
function meantOf(wanted: string, groups: readonly { name: string; entries: readonly Worded[] }[]): Group[] {
  return groups.map(({ name, entries }) => ({
    name,
    entries: entries.filter(({ label, words }) => isMeant({ name: label, words }, wanted, initialsOf)),
  }))
}

/** By the finder's name: what it said last, and to which text. */
type Found = ReadonlyMap<string, { text: string; things: FoundThing[]; failed: boolean }>

function asked(wanted: string, finders: readonly Finder[]): Finder[] {
  return wanted === '' ? [] : finders.filter(finder => finder.asks?.(wanted) ?? true)
}

/** What each finder knows about the text, asked at once after a pause; an answer to an older text is dropped. */
function useFound(wanted: string, finders: readonly Finder[]): Found {
  const [found, setFound] = useState<Found>(new Map())
  useEffect(() => {
    let current = true
    const wantedOf = asked(wanted, finders)
    setFound(last => new Map([...last].filter(([name]) => wantedOf.some(finder => finder.name === name))))
    const tell = (name: string, things: FoundThing[], failed: boolean) => {
      if (current) setFound(last => new Map(last).set(name, { text: wanted, things, failed }))
    }
    const callOff =
      wantedOf.length > 0 &&
      afterPause(() => {
        for (const { name, ask } of wantedOf)
          ask(wanted).then(
            things => tell(name, things, false),
            () => tell(name, [], true),
          )
      }, WAIT_MS)
    return () => {
      current = false
      if (callOff) callOff()
    }
  }, [wanted, finders])
  return found
}

type Worded = Entry & { words?: readonly string[] | undefined }

function pagesIn(menu: readonly MenuItem[], pages: readonly ShellPage[], group = ''): Worded[] {
  return menu.flatMap(({ key, name, path, children }) =>
    children.length > 0
      ? pagesIn(children, pages, path === '' ? name : `${group} / ${name}`)
      : [{ key, label: name, hint: group, href: path, words: pages.find(page => page.path === path)?.words }],
  )
}

function optionId({ key }: Entry): string {
  return `palette-${key.replaceAll(/\W/g, '-')}`
}
