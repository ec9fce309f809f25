import { uploadPicture } from '#web/client/uploads.ts'
import { Field } from '#web/form/Field.tsx'
import { Upload } from '#web/form/files/Upload.tsx'
import type { Uploads } from '#web/form/files/uploads.ts'
import type { FieldsOf } from '#web/form/useForm.ts'
import { documentsApi, lookAddress } from './documentsApi.tsx'
import { DOCUMENT_FILE, DOCUMENT_KB, DOCUMENT_KINDS, type DocumentKind, type LookPurpose } from './rules.ts'

type DocumentProps = {
  id?: string
  merchantId: number
  kind: DocumentKind
  /** A paper's id. */
  value: number | null
  onChange: (id: number | null) => void
  /** What it is looked at for, which the log keeps. */
  purpose?: LookPurpose
  label?: string
  hint?: string
  /** Who takes the paper in the end takes no larger one. */
  mostBytes?: number
  onBusy?: (busy: boolean) => void
}

/** One paper of a shop: chosen, dropped, pasted or taken with the camera, and kept at once. */
export function DocumentUpload(props: DocumentProps) {
  const {
    merchantId,
    kind,
    value,
    onChange,
    purpose = 'verification',
    label = DOCUMENT_KINDS[kind],
    ...rest
  } = props
  return (
    <Upload
      {...rest}
      paper
      value={value === null ? null : String(value)}
      onChange={id => onChange(id === null ? null : Number(id))}
      purpose={DOCUMENT_FILE}
      most={DOCUMENT_KB}
      label={label}
      onlyOne={`${label}只能上传一张图片`}
      address={id => lookAddress(id, purpose)}
      send={async (...sent) => {
        const fileId = await uploadPicture(...sent)
        const { id } = await documentsApi.keep({ merchantId, kind, fileId })
        return String(id)
      }}
    />
  )
}

type FieldProps<Name extends string> = Omit<DocumentProps, 'id' | 'value' | 'onChange' | 'onBusy'> & {
  form: FieldsOf<Record<Name, number | null>>
  name: Name
  uploads: Uploads
  required?: boolean
}

/** A paper of a form, under its label. */
export function DocumentField<Name extends string>(props: FieldProps<Name>) {
  const { form, name, uploads, required, label = DOCUMENT_KINDS[props.kind], ...upload } = props
  return (
    <Field form={form} name={name} label={label} required={required}>
      {({ id }) => (
        <DocumentUpload
          {...upload}
          id={id}
          label={label}
          value={form.draft[name]}
          onChange={picked => form.change({ [name]: picked } as Record<Name, number | null>)}
          onBusy={uploads.at(name)}
        />
      )}
    </Field>
  )
}
