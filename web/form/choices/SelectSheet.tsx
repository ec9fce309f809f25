import { useState } from 'react'
import { cleanSearch } from '#kit/words/cleaned.ts'
import type { ControlProps } from '../Field.tsx'
import { ChoiceSheet, SheetEntries } from './ChoiceSheet.tsx'

type Option<V> = { value: V; label: string }
type Props<V> = Partial<ControlProps> & {
  name: string
  'aria-label'?: string | undefined
  'aria-labelledby'?: string | undefined
  placeholder?: string | undefined
  disabled?: boolean | undefined
  allowClear?: boolean | undefined
  value: V | undefined
  options: readonly Option<V>[] | undefined
  onChange: (value: V | undefined) => void
  /** Asks for options as one types; without it those that are there are searched. */
  onSearch?: ((typed: string) => void) | null | undefined
  notFound?: string | undefined
}

/** One of many in a sheet. */
export function SelectSheet<V extends string | number>(props: Props<V>) {
  const { name, value, options, onChange, onSearch, notFound, allowClear, ...control } = props
  const [typed, setTyped] = useState('')
  const type = (text: string) => {
    setTyped(text)
    onSearch?.(text)
  }
  const wanted = cleanSearch(typed).toLowerCase()
  const found = onSearch ? options : options?.filter(({ label }) => label.toLowerCase().includes(wanted))
  return (
    <ChoiceSheet
      {...control}
      name={name}
      shown={options?.find(option => option.value === value)?.label}
      onClear={allowClear ? () => onChange(undefined) : undefined}
    >
      {close => (
        <SheetEntries
          name={name}
          typed={typed}
          onType={type}
          entries={found?.map(({ value: key, label: text }) => ({ key, text, isChosen: key === value }))}
          notFound={notFound}
          onChoose={({ key }) => {
            onChange(key)
            type('')
            close()
          }}
        />
      )}
    </ChoiceSheet>
  )
}
