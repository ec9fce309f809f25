// A field's value in people's words.
import { formatCents, formatCount } from '../money.ts'
import { formatInstant, formatMinute } from '../time.ts'
import type { Field } from './fields.ts'

/** A value as plain text, without its unit. */
export function textOf(field: Field, value: unknown): string {
  if (value === null || value === undefined || value === '') return field.none ?? ''
  switch (field.kind) {
    case 'instant':
      return field.toMinute ? formatMinute(value as string) : formatInstant(value as string)
    case 'money':
      return formatCents(value as number)
    case 'word':
      return field.words?.[value as string] ?? String(value)
    case 'flag':
      return value ? '是' : '否'
    default:
      return String(value)
  }
}

/** A value as the operation log keeps it, with its unit; null where there is none. */
export function loggedText(field: Field, value: unknown): string | null {
  if (value === null || value === undefined) return field.none || null
  const text = field.kind === 'count' ? formatCount(value as number) : textOf(field, value)
  return field.unit ? `${text} ${field.unit}` : text
}
