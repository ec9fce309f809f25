import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { isPhone } from '../theme/usePhone.ts'
import { Pressable } from './Button.tsx'
import styles from './Menu.module.css'

export type MenuEntry = {
  key: string
  label: ReactNode
  onClick?: () => void
  /** A link in place of a button. */
  href?: string
  disabled?: string | null
  danger?: boolean
  /** One of several of which one holds. */
  checked?: boolean
}

type Props = {
  label: string
  /** What the button shows. */
  button: ReactNode
  className?: string
  items: readonly MenuEntry[]
  align?: 'start' | 'end'
  /** Above the entries. */
  head?: ReactNode
  onOpen?: () => void
}

const GAP_PX = 4

/** A button with a menu below it, on the browser's own layer, so that no scrolling box cuts it. */
export function Menu({ label, button, className, items, align = 'start', head, onOpen }: Props) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const hide = useCallback(() => setOpen(false), [])
  useLayoutEffect(() => {
    if (!open || !trigger.current || !layer.current) return
    layer.current.showPopover()
    place(layer.current, trigger.current.getBoundingClientRect(), align)
    layer.current.querySelector<HTMLElement>('[role^=menuitem]')?.focus()
  }, [open, align])
  useEffect(() => {
    if (!open || !trigger.current) return
    const stood = trigger.current.getBoundingClientRect()
    // What was scrolled just before it opened is told of after it has: only a button that moved leaves its menu behind.
    const close = () => {
      const stands = trigger.current?.getBoundingClientRect()
      if (stands?.top !== stood.top || stands.left !== stood.left) setOpen(false)
    }
    addEventListener('scroll', close, true)
    addEventListener('resize', hide)
    return () => {
      removeEventListener('scroll', close, true)
      removeEventListener('resize', hide)
    }
  }, [open, hide])
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        popoverTarget={id}
        onClick={event => {
          event.preventDefault()
          if (!open) onOpen?.()
          setOpen(!open)
        }}
      >
        {button}
      </button>
      {open && (
        <div
          ref={layer}
          id={id}
          popover="auto"
          className={styles.menu}
          onToggle={event => {
            if ((event.nativeEvent as unknown as ToggleEvent).newState === 'closed') hide()
          }}
        >
          {head}
          <div role="menu" aria-label={label} onKeyDown={moveBetweenItems}>
            {items.map(item => (
              <Pressable
                key={item.key}
                {...roleOf(item)}
                action={item}
                className={styles.menuItem}
                onClick={() => {
                  hide()
                  trigger.current?.focus()
                  item.onClick?.()
                }}
              >
                {item.label}
              </Pressable>
            ))}
          </div>
        </div>
      )}
    </>
  )
}

function roleOf(item: MenuEntry) {
  if (item.checked === undefined) return { role: 'menuitem' }
  return { role: 'menuitemradio', 'aria-checked': item.checked }
}

function place(layer: HTMLElement, box: DOMRect, align: 'start' | 'end'): void {
  // On a phone it is a sheet, as its styles have it.
  if (isPhone()) return
  const { offsetWidth: width, offsetHeight: height } = layer
  const left = align === 'end' ? box.right - width : box.left
  const below = box.bottom + GAP_PX
  const top = below + height > innerHeight ? Math.max(box.top - GAP_PX - height, GAP_PX) : below
  layer.style.left = `${Math.min(Math.max(left, GAP_PX), innerWidth - width - GAP_PX)}px`
  layer.style.top = `${top}px`
}

function moveBetweenItems(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^=menuitem]')]
  const at = items.indexOf(event.target as HTMLElement)
  const to = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at || items.length) - 1,
    Home: 0,
    End: items.length - 1,
  }[event.key]
  if (to === undefined) return
  event.preventDefault()
  items[to]?.focus()
}
