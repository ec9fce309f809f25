import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId, useState } from 'react'
import { seenText, typedDigits } from '#kit/words/cleaned.ts'
import { Button } from '../controls/Button.tsx'
import { IconEye, IconEyeOff } from '../controls/icons.tsx'
import { Field, type FieldProps } from './Field.tsx'
import { SENDS } from './FormElement.tsx'
import styles from './TextField.module.css'
import type { FieldsOf } from './useForm.ts'

type Typed = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'form' | 'name' | 'required'>

export type InputProps = Typed & {
  value: string
  onChange: (text: string) => void
  /** More than one line. */
  rows?: number
  /** Behind what is typed: 代币, 条. */
  unit?: ReactNode
  /** How many characters may be typed; their number is shown. */
  count?: number
  /** Shown as dots. */
  secret?: boolean
  /** Everything else is left out as it is typed. */
  digits?: boolean
  /** Any other text may be typed too. */
  suggestions?: readonly string[]
}

/** A text to type in. */
export function TextInput(props: InputProps) {
  const { value, onChange, rows, unit, count, secret, digits, suggestions, ...rest } = props
  const [seen, setSeen] = useState(false)
  const listId = useId()
  const length = [...value].length
  const given = {
    autoComplete: 'off',
    ...rest,
    value,
    'data-secret': secret || undefined,
    onChange: ({ target: { value: typed } }: { target: { value: string } }) =>
      onChange(secret ? typed : digits ? typedDigits(typed, value) : seenText(typed)),
  }
  return (
    <span className={styles.box} data-rows={rows} data-disabled={rest.disabled || undefined}>
      {rows === undefined ? (
        <input
          // One with keys of its own has a use of its own for Enter.
          {...(rest.onKeyDown ? {} : SENDS)}
          {...given}
          type={secret && !seen ? 'password' : rest.type}
          list={suggestions ? listId : undefined}
        />
      ) : (
        <textarea {...(given as TextareaHTMLAttributes<HTMLTextAreaElement>)} rows={rows} />
      )}
      {suggestions && (
        <datalist id={listId}>
          {suggestions.map(text => (
            <option key={text} value={text} />
          ))}
        </datalist>
      )}
      {count !== undefined && (
        <span className={styles.unit} data-over={length > count || undefined}>
          {length} / {count}
        </span>
      )}
      {unit !== undefined && <span className={styles.unit}>{unit}</span>}
      {secret && (
        <Button
          kind="quiet"
          icon={seen ? <IconEyeOff /> : <IconEye />}
          aria-label={seen ? '隐藏' : '显示'}
          onClick={() => setSeen(!seen)}
        />
      )}
    </span>
  )
}

export type TextProps = FieldProps & Omit<InputProps, 'value' | 'onChange'>

type Props<Name extends string> = TextProps & { form: FieldsOf<Record<Name, string>>; name: Name }

/** A text under its label. */
export function TextField<Name extends string>({
  form,
  name,
  label,
  required,
  hint,
  wide,
  lock,
  ...input
}: Props<Name>) {
  return (
    <Field label={label} name={name} form={form} required={required} hint={hint} wide={wide} lock={lock}>
      {control => (
        <TextInput
          {...control}
          {...input}
          value={form.draft[name]}
          onChange={text => form.change({ [name]: text } as Record<Name, string>)}
        />
      )}
    </Field>
  )
}
