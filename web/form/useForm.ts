// The state of every form: what was typed, what was left, what is wrong, and sending it once.
import { useId, useRef, useState } from 'react'
import { seenIn } from '#kit/words/cleaned.ts'
import { messageOf, newKey, refusalOf } from '../client/api.ts'
import { confirm, type Question } from '../controls/confirm.ts'

/** A field whose rule is broken, with the message for it. */
export type Broken = { field: string; message: string }

type Options<D> = {
  initial: D
  /** Broken rules in their order, or the first of them. */
  judge?: (draft: D) => readonly Broken[] | Broken | null
  /** What will happen, asked before it is sent; null: that needs no asking. */
  question?: (draft: D) => Asked
  /** Sends it; the key stays the same until it was taken. */
  send?: (draft: D, idempotencyKey: string) => unknown
  /** After it was taken. */
  onDone?: (draft: D) => unknown
  /** Deals with a failure in its own way, or answers false. */
  onRefused?: (error: unknown) => boolean
}

type Asked = Question | null | Promise<Question | null>

export type Form<D> = {
  draft: D
  /** Something was typed that is not sent yet. */
  dirty: boolean
  busy: boolean
  /** A refusal that belongs to no field. */
  message: string | null
  change: (changed: Partial<D>) => void
  /** Takes other values as the unchanged ones, and a draft over them; with the same for both it begins anew. */
  rebase: (base: D, draft: D) => void
  touch: (field: string) => void
  /** What is typed says nothing that the field could hold, and why; null: it does. Nothing is sent before. */
  unread: (field: string, message: string | null) => void
  messageOf: (field: string) => string | null
  /** The id of the field's control, its own in every form that stands. */
  idOf: (field: string) => string
  /** Shows every broken rule and focuses the first; true when there is none. */
  passes: () => boolean
  /** Shows the server's refusal at its field and focuses it. */
  refuse: (broken: Broken) => void
  /** Brings a field into view and puts the cursor there. */
  focus: (field: string) => void
  /** Judges, asks and sends, unless it is being sent. */
  submit: () => Promise<void>
  /** Whether leaving now would lose something. */
  isUnsaved: () => boolean
}

/** What a field needs of its form. */
export type FieldsOf<D> = Pick<Form<D>, 'draft' | 'change' | 'messageOf' | 'touch' | 'unread' | 'idOf'>

/** What sending needs of the fields. */
type Fields<D> = Pick<Form<D>, 'passes' | 'refuse' | 'idOf'> & { read: () => D }

export function useForm<D extends object>(options: Options<D>): Form<D> {
  const [base, setBase] = useState(options.initial)
  const [draft, setDraft] = useState(options.initial)
  // Two changes of one event build on each other, and what is asked later judges what holds then.
  const latest = useRef(draft)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<Broken | null>(null)
  const scope = useId()
  const idOf = (field: string) => `${scope}${field.replaceAll('.', '-')}`
  const [unread, setUnread] = useState<readonly Broken[]>([])
  const unreadNow = useRef(unread)
  const judge = (judged: D): readonly Broken[] => {
    const unread = unreadNow.current
    const broken = [options.judge?.(judged) ?? []].flat()
    return [...unread, ...broken.filter(({ field }) => !unread.some(one => one.field === field))]
  }
  const broken = judge(draft)
  const change = (changed: Partial<D>) => {
    const next = { ...latest.current, ...seenIn(changed) }
    if (refused && valueAt(next, refused.field) !== valueAt(latest.current, refused.field)) setRefused(null)
    latest.current = next
    setDraft(next)
  }
  const fields: Fields<D> = {
    idOf,
    read: () => latest.current,
    passes: () => {
      const found = judge(latest.current)
      setTouched(known => new Set([...known, ...found.map(rule => rule.field)]))
      if (found[0]) focusControl(idOf(found[0].field))
      return found.length === 0
    },
    refuse: next => {
      setRefused(next)
      focusControl(idOf(next.field))
    },
  }
  const sending = useSending(fields, options)
  const dirty = unread.length > 0 || JSON.stringify(draft) !== JSON.stringify(base)
  return {
    draft,
    dirty,
    change,
    idOf,
    rebase: (nextBase, nextDraft) => {
      latest.current = nextDraft
      setBase(nextBase)
      setDraft(nextDraft)
      setRefused(null)
      if (nextDraft === nextBase) setTouched(new Set())
    },
    touch: field => setTouched(known => (known.has(field) ? known : new Set([...known, field]))),
    unread: (field, message) => {
      const others = unreadNow.current.filter(one => one.field !== field)
      if (message === null && others.length === unreadNow.current.length) return
      unreadNow.current = message === null ? others : [...others, { field, message }]
      setUnread(unreadNow.current)
    },
    messageOf: field => {
      if (refused?.field === field) return refused.message
      return touched.has(field) ? (broken.find(rule => rule.field === field)?.message ?? null) : null
    },
    passes: fields.passes,
    refuse: fields.refuse,
    focus: field => focusControl(idOf(field)),
    ...sending,
    isUnsaved: () => dirty && !sending.isSent(),
  }
}

function useSending<D>(fields: Fields<D>, { question, send, onDone, onRefused }: Options<D>) {
  const key = useRef<string>(undefined)
  // A second press comes before the first one's state is drawn.
  const state = useRef<'open' | 'asked' | 'sent'>('open')
  const [busy, setBusy] = useState(false)
  const [message, setMessage] = useState<string | null>(null)
  const show = (error: unknown) => {
    if (onRefused?.(error)) return
    const refusal = refusalOf(error)
    if (refusal?.field && document.getElementById(fields.idOf(refusal.field)))
      fields.refuse({ field: refusal.field, message: refusal.message })
    else setMessage(messageOf(error))
  }
  const submit = async () => {
    if (state.current !== 'open' || !fields.passes()) return
    state.current = 'asked'
    setMessage(null)
    try {
      const draft = fields.read()
      const asked = question ? await question(draft) : null
      if (asked && !(await confirm(asked))) return
      setBusy(true)
      state.current = 'sent'
      key.current ??= newKey()
      await send?.(draft, key.current)
      key.current = undefined
      await onDone?.(draft)
    } catch (error) {
      state.current = 'open'
      show(error)
    } finally {
      setBusy(false)
      if (state.current === 'asked' || !onDone) state.current = 'open'
    }
  }
  return { busy, message, submit, isSent: () => state.current === 'sent' }
}

/** Brings a control into view and puts the cursor there; in a group, on its chosen or first one. */
function focusControl(id: string): void {
  const target = document.getElementById(id)
  if (!target) return
  const control = target.matches('input,textarea,select,button')
    ? target
    : (target.querySelector<HTMLElement>('input:checked') ??
      target.querySelector<HTMLElement>('input,textarea,button'))
  target.scrollIntoView({ block: 'center', behavior: 'auto' })
  control?.focus({ preventScroll: true })
}

function valueAt(draft: object, field: string): unknown {
  return field
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], draft)
}
