import { TextField } from '#web/form/TextField.tsx'
import type { FieldsOf } from '#web/form/useForm.ts'
import { FUNCTION_FIELDS } from './fields.ts'

type Placed = { position: string }

/** The place that is typed; null where it is no number. */
export const placeOf = ({ position }: Placed) => (/^\d{1,4}$/.test(position.trim()) ? Number(position) : null)

/** In which order things are shown. */
export function PlaceField({ form }: { form: FieldsOf<Placed> }) {
  return (
    <TextField
      form={form}
      name="position"
      label={FUNCTION_FIELDS.position.label}
      hint="小的排在前面"
      inputMode="numeric"
      maxLength={4}
    />
  )
}
