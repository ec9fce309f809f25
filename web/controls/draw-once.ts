// Draws elements, and components without state, as they are and once. The login page does so: what React needs to draw again is four fifths
// of what such a page would load.
import { Fragment, isValidElement, type ReactElement, type ReactNode, type Ref, type RefObject } from 'react'

type Props = Readonly<Record<string, unknown>> & { children?: ReactNode; ref?: Ref<Element> }

const SVG = 'http://www.w3.org/2000/svg'

export function drawOnce(node: ReactNode, namespace?: string): DocumentFragment {
  const drawn = document.createDocumentFragment()
  if (Array.isArray(node)) drawn.append(...node.map(one => drawOnce(one, namespace)))
  else if (isValidElement(node)) drawn.append(drawElement(node as ReactElement<Props>, namespace))
  else if (typeof node === 'string' || typeof node === 'number') drawn.append(String(node))
  return drawn
}

function drawElement({ type, props }: ReactElement<Props>, namespace?: string): Node {
  if (type === Fragment) return drawOnce(props.children, namespace)
  if (typeof type === 'function') return drawOnce((type as (props: Props) => ReactNode)(props), namespace)
  const within = type === 'svg' ? SVG : namespace
  const tag = String(type)
  const element = within ? document.createElementNS(within, tag) : document.createElement(tag)
  const { children, ref, ...rest } = props
  for (const [name, value] of Object.entries(rest)) give(element, name, value)
  element.append(drawOnce(children, within))
  if (typeof ref === 'function') ref(element)
  else if (ref) ref.current = element
  return element
}

/** What React calls otherwise than the document does. */
const NAMES: Readonly<Record<string, string>> = { className: 'class', htmlFor: 'for', viewBox: 'viewBox' }

function give(element: Element, name: string, value: unknown): void {
  if (typeof value === 'function') {
    element.addEventListener(name.slice('on'.length).toLowerCase(), value as (event: Event) => void)
    return
  }
  const known = NAMES[name]
  const attribute =
    known ??
    (element.namespaceURI === SVG ? name.replaceAll(/[A-Z]/g, letter => `-${letter}`) : name).toLowerCase()
  setAttribute(element, attribute, value)
}

/** Words where the attribute has some for yes and no, and no attribute where there is nothing to say. */
export function setAttribute(element: Element, name: string, value: unknown): void {
  const isWord = /^(aria-|data-|spellcheck$)/.test(name)
  if (value === undefined || value === null || (value === false && !isWord)) element.removeAttribute(name)
  else element.setAttribute(name, value === true && !isWord ? '' : String(value))
}

/** What was drawn with this reference. */
export function drawnAt<E>({ current }: RefObject<E | null>): E {
  if (current === null) throw new Error('nothing was drawn with this reference')
  return current
}
