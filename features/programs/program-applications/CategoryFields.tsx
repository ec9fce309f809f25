// The category of a mini program down to its last level, and its papers, in any form that asks for one.
import { DocumentUpload } from '#features/care/documents/DocumentField.tsx'
import {
  alternativesOf,
  isLast,
  type OfferedCategory,
  qualificationNote,
  stepsOf,
  wayTo,
} from '#features/programs/program-categories/rules.ts'
import { ChoiceField } from '#web/form/Choice.tsx'
import { Cascade } from '#web/form/choices/Cascade.tsx'
import { Field } from '#web/form/Field.tsx'
import type { Uploads } from '#web/form/files/uploads.ts'
import type { FieldsOf } from '#web/form/useForm.ts'
import styles from './applications.module.css'
import { APPLICATION_FIELDS } from './fields.ts'
import { type Certificate, certificateField, type KnownCategory, LIMITS } from './rules.ts'

export type CategoryChoice = {
  categoryId: number | null
  /** Of a choice: its place as a text. */
  alternative: string
  /** By the name of the paper. */
  certificates: Readonly<Record<string, number>>
}

/** As they are sent. */
export const certificatesOf = (certificates: CategoryChoice['certificates']): Certificate[] =>
  Object.entries(certificates)
    .map(([name, documentId]) => ({ name, documentId }))
    .slice(0, LIMITS.certificates)

/** The chosen one as this list has it; null: none is chosen, or it is not there. */
export function knownOf(categories: readonly OfferedCategory[], id: number | null): KnownCategory | null {
  const last = id === null ? undefined : wayTo(categories, id)?.at(-1)
  return last ? { alternatives: alternativesOf(last), isLast: isLast(categories, last.id) } : null
}

type CategoryProps = {
  form: FieldsOf<CategoryChoice> & { uploads: Uploads }
  categories: readonly OfferedCategory[] | undefined
  merchantId: number
}

/** The category down to its last level, and the papers that it wants. */
export function CategoryFields({ form, categories, merchantId }: CategoryProps) {
  const { categoryId, alternative, certificates } = form.draft
  const way = categoryId === null || !categories ? null : wayTo(categories, categoryId)
  const last = way?.at(-1)
  const alternatives = last ? alternativesOf(last) : []
  const wanted = alternatives[Number(alternative)] ?? alternatives[0] ?? []
  const note = last ? qualificationNote(last) : ''
  return (
    <>
      <Field
        form={form}
        name="categoryId"
        label={APPLICATION_FIELDS.categoryName.label}
        required
        hint={last && (note === '' ? '该类目无需资质' : `需要资质：${note}`)}
      >
        {control => (
          <Cascade
            {...control}
            options={categories && stepsOf(categories)}
            path={way?.map(({ id }) => String(id))}
            onChange={codes => {
              const picked = Number(codes.at(-1) ?? 0)
              form.change({ categoryId: picked === 0 ? null : picked, alternative: '0' })
            }}
            placeholder="请选择小程序类目"
            notFound="没有匹配的类目"
          />
        )}
      </Field>
      {alternatives.length > 1 && (
        <ChoiceField
          form={form}
          name="alternative"
          label="资质方案"
          look="lines"
          options={alternatives.map((names, at) => ({ value: String(at), label: names.join('、') }))}
        />
      )}
      {wanted.length > 0 && (
        <div className={styles.papers}>
          {wanted.map((paper, at) => (
            <Field key={paper} form={form} name={certificateField(at)} label={paper} required>
              {({ id }) => (
                <DocumentUpload
                  id={id}
                  merchantId={merchantId}
                  kind="qualification"
                  purpose="miniProgram"
                  label={paper}
                  value={certificates[paper] ?? null}
                  onChange={picked => {
                    const { [paper]: _, ...others } = form.draft.certificates
                    form.change({ certificates: picked === null ? others : { ...others, [paper]: picked } })
                  }}
                  onBusy={form.uploads.at(certificateField(at))}
                />
              )}
            </Field>
          ))}
        </div>
      )}
    </>
  )
}
