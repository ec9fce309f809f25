import { useEffect, useState } from 'react'
import { cleanLine } from '#kit/words/cleaned.ts'
import { type InputProps, TextInput } from './TextField.tsx'

type Props = Omit<InputProps, 'onChange'> & { onApply: (text: string) => void }

/** A text that applies when it is left or Enter is pressed, so that half a word is not asked for. */
export function AppliedText({ value, onApply, ...input }: Props) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const apply = () => {
    const applied = cleanLine(text)
    if (applied !== value) onApply(applied)
  }
  return (
    <TextInput
      {...input}
      value={text}
      onChange={setText}
      onBlur={apply}
      onKeyDown={event => {
        // Esc closes what it stands in, which asks only where it knows of what was typed.
        if (event.key === 'Escape') apply()
        if (event.key !== 'Enter') return
        event.preventDefault()
        apply()
      }}
    />
  )
}
