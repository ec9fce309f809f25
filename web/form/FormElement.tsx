import type { ClipboardEvent, KeyboardEvent, ReactNode, Ref } from 'react'

type Props = {
  onSubmit: () => void
  className?: string
  hidden?: boolean
  'aria-labelledby'?: string
  'data-note'?: boolean
  ref?: Ref<HTMLFormElement>
  onPaste?: (event: ClipboardEvent) => void
  children: ReactNode
}

/** What an input bears from which Enter sends its form: a text of the form's own. */
export const SENDS = { 'data-sends': true } as const

/** Whether the Enter picks a word of an input method; Safari says so by the number alone. Drawn once, the form hears the document's own events. */
const picksWord = (event: KeyboardEvent | globalThis.KeyboardEvent) => {
  const { isComposing, keyCode } = 'nativeEvent' in event ? event.nativeEvent : event
  return isComposing || keyCode === 229
}

/** Days, choices, searches, counters, boxes: whatever does not say that it sends has a use of its own for Enter, or none. */
const sends = (target: EventTarget) =>
  !(target instanceof HTMLInputElement) || target.type === 'file' || 'sends' in target.dataset

/** The <form> of the product. The browser judges nothing of it, and an Enter sends it from its own texts and buttons alone. */
export function FormElement({ onSubmit, ...rest }: Props) {
  return (
    <form
      {...rest}
      noValidate
      onKeyDown={event => {
        if (event.key === 'Enter' && (picksWord(event) || !sends(event.target))) event.preventDefault()
      }}
      onSubmit={event => {
        event.preventDefault()
        // A form around the place it was opened from is not meant.
        event.stopPropagation()
        onSubmit()
      }}
    />
  )
}
