import {
  createContext,
  type MouseEvent,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../controls/Button.tsx'
import { confirmDiscard } from '../controls/confirm.ts'
import { IconClose } from '../controls/icons.tsx'
import { ActionBar, ActionPlace } from './ActionBar.tsx'
import styles from './Dialog.module.css'
import { TurnButtons } from './Turns.tsx'
import { useTopLayer } from './useTopLayer.ts'

type Props = {
  title: string
  children?: ReactNode
  footer?: ReactNode
  onClose: () => void
  role?: 'dialog' | 'alertdialog'
  width?: number
  /** Without a visible head; the title names it for screen readers. */
  bare?: boolean
  /** It works: nothing closes it. */
  busy?: boolean
  /** Whether closing loses something, which is asked first. Unless told, text that was typed is lost. */
  dirty?: boolean
}

type Step = { host: HTMLDialogElement; role: string; close: () => void; rehome: () => void }

/** The steps of the dialog that is open, the one that is seen last. */
const steps: Step[] = []
/** Where the first click of a double click landed; its second one means that and nothing that came since. */
let clicked: Element | null = null

const seenIn = (host: HTMLDialogElement) => steps.findLast(step => step.host === host)
const openHost = () => steps.at(-1)?.host ?? null

/**
 * A modal on the browser's own <dialog>: focus stays inside, Esc closes, the page behind is inert. What opens while one is
 * open, a question too, takes its place as a step of it until it is closed.
 */
export function Dialog(props: Props) {
  // Looked up once it stands: a dialog that it takes the place of is still there while it is first drawn.
  const [host, setHost] = useState<HTMLDialogElement | null>()
  const rehome = useRef(() => setHost(openHost())).current
  useLayoutEffect(rehome, [rehome])
  if (host === undefined) return null
  if (host) return createPortal(<DialogStep {...props} rehome={rehome} nested />, host)
  return <DialogHost {...props} rehome={rehome} />
}

type StepProps = Props & { rehome: () => void; labelId?: string; nested?: boolean }

function DialogHost(props: StepProps) {
  const labelId = useId()
  const pressedAside = useRef(false)
  const layer = useTopLayer(() => layer.ref.current && seenIn(layer.ref.current)?.close())
  useEffect(() => {
    const host = layer.ref.current
    return () => {
      for (const step of steps.filter(step => step.host === host)) step.rehome()
    }
  }, [layer.ref])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it, which the browser turns into `cancel`.
    <dialog
      {...layer}
      role={props.role ?? 'dialog'}
      aria-modal="true"
      aria-labelledby={props.bare ? undefined : labelId}
      aria-label={props.bare ? props.title : undefined}
      className={styles.dialog}
      data-bare={props.bare || undefined}
      onPointerDown={event => {
        pressedAside.current = event.target === event.currentTarget
      }}
      onClick={event => {
        // Text that is marked to beyond the edge is no click beside it. Of a double click that opened the dialog the
        // second lands here; and a question is answered, not brushed away.
        const isAside = event.target === event.currentTarget && pressedAside.current && event.detail < 2
        const seen = seenIn(event.currentTarget)
        if (isAside && seen?.role === 'dialog') seen.close()
      }}
    >
      <DialogStep {...props} labelId={labelId} />
    </dialog>
  )
}

function DialogStep(props: StepProps) {
  const { title, children, footer, role = 'dialog', width = 416, bare, busy = false, nested } = props
  const ownId = useId()
  const labelId = props.labelId ?? ownId
  const box = useRef<HTMLDivElement>(null)
  const texts = useRef(new Map<TextField, string>())
  const leave = async (go: () => void) => {
    if (busy) return
    if (!(props.dirty ?? isTyped(texts.current)) || (await confirmDiscard())) go()
  }
  const close = () => leave(props.onClose)
  const latest = useRef(close)
  latest.current = close
  useStep(box, { role, rehome: props.rehome, close: () => void latest.current() }, nested === true)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears what its own fields and buttons are told.
    <div
      ref={box}
      data-part="step"
      {...(nested && {
        role,
        tabIndex: -1,
        ...(bare ? { 'aria-label': title } : { 'aria-labelledby': labelId }),
      })}
      className={styles.step}
      style={{ width }}
      onFocus={({ target }) => {
        // A step over this one, or a dialog in a drawer, knows its own fields.
        if (!isTextField(target) || target.closest('[data-part=step]') !== box.current) return
        if (!texts.current.has(target)) texts.current.set(target, target.value)
      }}
      onClickCapture={event => {
        if (!isStrayClick(event, box.current)) return
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      <ClosingContext value={{ busy, close: () => void close() }}>
        <ActionPlace>
          {!bare && (
            <div className={styles.head}>
              <h2 id={labelId}>{title}</h2>
              {!nested && <TurnButtons leave={go => void leave(go)} />}
              <Button kind="quiet" icon={<IconClose />} aria-label="关闭" onClick={() => void close()} />
            </div>
          )}
          {children}
          {footer && (
            <div className={styles.foot}>
              <ActionBar>{footer}</ActionBar>
            </div>
          )}
        </ActionPlace>
      </ClosingContext>
    </div>
  )
}

/** Puts a step over those that its <dialog> has, and the focus into it. */
function useStep(box: { current: HTMLElement | null }, step: Omit<Step, 'host'>, isNested: boolean): void {
  const { role, close, rehome } = step
  const latest = useRef(close)
  const before = useRef<Element>(null)
  useLayoutEffect(() => {
    // Before what it covers is hidden and loses the focus.
    before.current ??= document.activeElement
    const host = box.current?.closest('dialog')
    if (!host) return
    const entry = { role, rehome, host, close: latest.current }
    steps.push(entry)
    return () => void steps.splice(steps.indexOf(entry), 1)
  }, [box, role, rehome])
  useEffect(() => {
    if (!isNested) return
    const first = box.current?.querySelector<HTMLElement>('[data-autofocus]') ?? box.current
    first?.focus()
    return () => {
      if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus()
    }
  }, [box, isNested])
}

function isStrayClick(event: MouseEvent, box: Element | null): boolean {
  if (event.detail > 1) return clicked !== box
  clicked = box
  return false
}

const ClosingContext = createContext<{ busy: boolean; close: () => void }>({
  busy: false,
  close: () => undefined,
})

/** A way out of the dialog it stands in, with the same question as Esc. */
export function CloseButton({ children = '取消' }: { children?: ReactNode }) {
  const { busy, close } = useContext(ClosingContext)
  return (
    <Button disabled={busy} onClick={close}>
      {children}
    </Button>
  )
}

/** What a dialog says, between its title and what can be done. */
export function DialogText({ children }: { children: ReactNode }) {
  return <div className={styles.text}>{children}</div>
}

type TextField = HTMLInputElement | HTMLTextAreaElement

const NO_TEXT = ['checkbox', 'radio', 'range', 'file']

function isTextField(target: EventTarget): target is TextField {
  if (target instanceof HTMLTextAreaElement) return true
  return target instanceof HTMLInputElement && !NO_TEXT.includes(target.type)
}

/** Whether a field that still stands holds another text than when it was entered first. */
function isTyped(texts: ReadonlyMap<TextField, string>): boolean {
  return [...texts].some(([field, before]) => field.isConnected && field.value !== before)
}
