import { createContext, type InputHTMLAttributes, type ReactNode, type Ref, use, useRef } from 'react'
import { KeyScroll } from '../KeyScroll.tsx'
import { UnreadContext, useUnread, useUnreadOf } from '../useUnread.ts'
import styles from './picker.module.css'

/** What a typed text is to a picker: what it shows for it, or what is wrong with it. */
type Reading = { shown: string } | { message: string }

type Typing = {
  read: (text: string) => Reading
  /** Takes the day away, or says why a picker cannot be empty. */
  empty: ((input: string) => void) | string
  say: (input: string, message: string | null) => void
  /** What gives up a text that is no day, of each input. */
  drops: Map<string, () => void>
}
const TypingContext = createContext<Typing | null>(null)

type Props = InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement>; 'date-range'?: string }

/** The input of every picker. The picker itself throws away what it cannot read, and what was picked before stands there again. */
function TypedInput({ ref, ...props }: Props) {
  const { read, empty, say, drops } = use(TypingContext) as Typing
  const name = props['date-range'] ?? 'day'
  const { text, keep, drop } = useUnread(props.value, message => say(name, message))
  drops.set(name, drop)
  const write = (shown: string) => {
    drop()
    props.onChange?.({ target: { value: shown } } as never)
  }
  const take = (typed: string) => {
    if (typed === '') {
      if (typeof empty === 'string') return keep('', empty)
      keep('', null, '')
      return empty(name)
    }
    const found = read(typed)
    if ('message' in found) keep(typed, found.message)
    else if (found.shown === typed) write(typed)
    else keep(typed, null)
  }
  /** One that was typed in another way is whole once it is left. */
  const settle = () => {
    const found = text === null || text === '' ? null : read(text)
    if (found && 'shown' in found) write(found.shown)
  }
  return (
    <input
      {...props}
      ref={ref}
      value={text ?? props.value}
      onChange={event => take(event.target.value)}
      onBlur={event => {
        settle()
        props.onBlur?.(event)
      }}
      onKeyDown={event => {
        if (event.key === 'Enter' && text !== null) return settle()
        props.onKeyDown?.(event)
      }}
    />
  )
}

export const TYPED = { input: TypedInput }

/** What a picker needs so that a typed text is read, or refused in words. */
export function useTyping(read: Typing['read'], empty: Typing['empty']) {
  const tell = use(UnreadContext)
  const [message, tellOf] = useUnreadOf()
  const drops = useRef<Typing['drops']>(new Map()).current
  const say = (input: string, told: string | null) => {
    tellOf(input)(told)
    tell?.(told)
  }
  return {
    isUnread: message !== null,
    panelRender: (panel: ReactNode) => (
      <KeyScroll
        onPick={() => {
          for (const drop of drops.values()) drop()
        }}
      >
        {panel}
      </KeyScroll>
    ),
    /** Around the picker. */
    typed: (picker: ReactNode) => (
      <TypingContext value={{ read, empty, say, drops }}>
        {picker}
        {tell === null && message !== null && (
          <span className={styles.unread} role="alert">
            {message}
          </span>
        )}
      </TypingContext>
    ),
  }
}

/** The reading of a picker of days or moments between two, of which either may be open. */
export function readingOf(
  read: (text: string) => string | null,
  wrong: string,
  { first, last }: { first?: string | undefined; last?: string | undefined },
): Typing['read'] {
  return typed => {
    const shown = read(typed)
    if (shown === null) return { message: wrong }
    if (first !== undefined && shown < first) return { message: `不得早于 ${first}` }
    if (last !== undefined && shown.slice(0, last.length) > last) return { message: `不得晚于 ${last}` }
    return { shown }
  }
}
