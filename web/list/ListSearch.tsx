import { useEffect, useRef, useState } from 'react'
import { cleanSearch } from '#kit/words/cleaned.ts'
import { afterPause } from '../client/ready.ts'
import { IconClose, IconSearch } from '../controls/icons.tsx'
import { look } from '../controls/look.ts'
import { type Key, useKeys } from '../keys/keys.ts'
import styles from './ListSearch.module.css'

const WAIT_MS = 300

type Props = {
  placeholder: string
  value: string
  onChange: (text: string) => void
  /** In a dialog, where no key brings the cursor here. */
  keyless?: boolean
}

/** The search box of a list: applies after a pause or on Enter, `/` brings the cursor here. */
export function ListSearch({ placeholder, value, onChange, keyless = false }: Props) {
  const [text, setText] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  const composing = useRef(false)
  const callOff = useRef<() => void>(undefined)
  const applied = useRef(value)
  const key: Key = {
    press: '/',
    does: '搜索列表',
    act: event => {
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    },
  }
  useKeys('列表', keyless ? [] : [key])
  useEffect(() => {
    // The address changed by other means than this box.
    if (value === applied.current) return
    applied.current = value
    setText(value)
  }, [value])
  useEffect(() => () => callOff.current?.(), [])
  const apply = (next: string) => {
    callOff.current?.()
    const sought = cleanSearch(next)
    if (sought === applied.current) return
    applied.current = sought
    onChange(sought)
  }
  const type = (next: string) => {
    setText(next)
    callOff.current?.()
    // Pinyin on its way to characters is not yet a search.
    if (!composing.current) callOff.current = afterPause(() => apply(next), WAIT_MS)
  }
  return (
    <search className={styles.listSearch}>
      <IconSearch />
      <input
        ref={input}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        className={look.input}
        aria-label={`搜索：${placeholder}`}
        aria-keyshortcuts={keyless ? undefined : '/'}
        placeholder={placeholder}
        maxLength={50}
        autoComplete="off"
        value={text}
        onChange={event => type(event.target.value)}
        onCompositionStart={() => {
          composing.current = true
        }}
        onCompositionEnd={event => {
          composing.current = false
          type(event.currentTarget.value)
        }}
        onKeyDown={event => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) apply(text)
          if (event.key !== 'Escape') return
          event.preventDefault()
          if (text === '') event.currentTarget.blur()
          setText('')
          apply('')
        }}
      />
      {text === '' ? (
        !keyless && (
          <span className={styles.listSearchKey} aria-hidden="true">
            /
          </span>
        )
      ) : (
        <button
          type="button"
          aria-label="清空搜索"
          onClick={() => {
            setText('')
            apply('')
            input.current?.focus()
          }}
        >
          <IconClose />
        </button>
      )}
    </search>
  )
}
