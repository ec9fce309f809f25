// What a browser does by itself and the document of these tests does not.

/** Esc asks the dialog that was opened last to go, as a browser does for a modal one. */
function cancelTopDialog(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented) return
  const top = [...document.querySelectorAll('dialog[open]')].at(-1) as HTMLDialogElement | undefined
  if (top?.dispatchEvent(new Event('cancel', { cancelable: true }))) top.close()
}

export function behaveAsBrowser(): void {
  addEventListener('keydown', cancelTopDialog)
  // Nothing is laid out, so nothing comes into view or over something else.
  const nothing = () => undefined
  Object.assign(Element.prototype, { scrollIntoView: nothing, showPopover: nothing, hidePopover: nothing })
}
