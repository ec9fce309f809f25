// What is typed in a control and cannot be read as what it holds: it stays, is refused in words, and is never replaced.
import { createContext, useEffect, useRef, useState } from 'react'

/** Tells what is wrong with what is typed; null: nothing. */
export type TellUnread = (message: string | null) => void

/** That of the field around a control. */
export const UnreadContext = createContext<TellUnread | null>(null)

export type Unread = {
  /** What stands in the control in the place of its value; null: its value. */
  text: string | null
  message: string | null
  /** Without a message it can be read, once it is whole. `becomes`: what the control's value is meanwhile, where that changes. */
  keep: (text: string, message: string | null, becomes?: unknown) => void
  drop: () => void
}

/** Another value of the control, from wherever it comes, ends what was typed. */
export function useUnread(value: unknown, tell: TellUnread | null): Unread {
  const [kept, setKept] = useState<{ text: string; message: string | null } | null>(null)
  const latest = useRef(tell)
  latest.current = tell
  const say = (next: typeof kept) => {
    setKept(next)
    latest.current?.(next?.message ?? null)
  }
  const known = useRef(value)
  useEffect(() => {
    if (known.current === value) return
    known.current = value
    setKept(null)
    latest.current?.(null)
  }, [value])
  useEffect(() => () => latest.current?.(null), [])
  return {
    text: kept?.text ?? null,
    message: kept?.message ?? null,
    keep: (text, message, becomes = value) => {
      known.current = becomes
      say({ text, message })
    },
    drop: () => say(null),
  }
}

/** What several controls tell: the first message, and how the one of a name tells. */
export function useUnreadOf(): readonly [
  message: string | null,
  tellOf: (name: string | number) => TellUnread,
] {
  const [messages, setMessages] = useState<ReadonlyMap<string | number, string>>(new Map())
  const tellOf = (name: string | number): TellUnread => {
    return message =>
      setMessages(before => {
        if ((before.get(name) ?? null) === message) return before
        const after = new Map(before)
        if (message === null) after.delete(name)
        else after.set(name, message)
        return after
      })
  }
  return [messages.values().next().value ?? null, tellOf]
}
