// What a browser does by itself and the document of these tests does not.

/** Esc asks the dialog that was opened last to go, as a browser does for a modal one. */
function cancelTopDialog(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented) return
  const top = [...document.querySelectorAll('dialog[open]')].at(-1) as HTMLDialogElement | undefined
  if (top?.dispatchEvent(new Event('cancel', { cancelable: true }))) top.close()
}

/** Elements that it does not know, or knows less of. */
function knowElements(): void {
  Object.defineProperty(HTMLUnknownElement.prototype, Symbol.toStringTag, {
    configurable: true,
    get: function (this: Element) {
      return this.localName === 'search' ? 'HTMLElement' : 'HTMLUnknownElement'
    },
  })
  Object.defineProperty(Object.getPrototypeOf(document.createElement('tbody')), 'rows', {
    configurable: true,
    get: function (this: Element) {
      return [...this.children].filter(({ localName }) => localName === 'tr')
    },
  })
}

/** Nothing is laid out: it is as if all were seen, and nothing comes into view or over something else. */
function seeEverything(): void {
  const nothing = () => undefined
  Object.defineProperty(HTMLElement.prototype, 'offsetParent', {
    configurable: true,
    get: () => document.body,
  })
  Object.assign(Element.prototype, { scrollIntoView: nothing, showPopover: nothing, hidePopover: nothing })
}

export function behaveAsBrowser(): void {
  addEventListener('keydown', cancelTopDialog)
  knowElements()
  seeEverything()
}
