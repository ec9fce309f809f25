import { type ComponentProps, useRef } from 'react'
import { Field } from './Field.tsx'
import { Upload } from './Upload.tsx'
import type { Broken, FieldsOf } from './useForm.ts'

type Props<Name extends string> = Omit<
  ComponentProps<typeof Upload>,
  'id' | 'value' | 'onChange' | 'label' | 'onBusy'
> & {
  form: FieldsOf<Record<Name, string | null>>
  name: Name
  label: string
  /** Of the picture, where the field's says less. */
  picture?: string
  uploads: Uploads
}

/** One picture of a form, under its label. */
export function PictureField<Name extends string>(props: Props<Name>) {
  const { form, name, label, picture = label, uploads, ...upload } = props
  return (
    <Field form={form} name={name} label={label}>
      {({ id }) => (
        <Upload
          {...upload}
          id={id}
          value={form.draft[name]}
          onChange={picked => form.change({ [name]: picked } as Record<Name, string | null>)}
          label={picture}
          onBusy={uploads.at(name)}
        />
      )}
    </Field>
  )
}

export type Uploads = {
  /** Hears of the field whether its picture is under way. */
  at: (field: string) => (busy: boolean) => void
  /** A form is not sent before the pictures that were chosen for it are there. */
  broken: () => Broken | null
}

/** Which pictures of a form are on their way. */
export function useUploads(): Uploads {
  const under = useRef(new Set<string>())
  return {
    at: field => busy => {
      if (busy) under.current.add(field)
      else under.current.delete(field)
    },
    broken: () => {
      const [field] = under.current
      return field === undefined ? null : { field, message: '图片上传中，请稍候' }
    },
  }
}
