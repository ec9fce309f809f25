import {
  blankRow,
  brokenRow,
  type Line,
  type LineField,
  placesOf,
  type ReferenceField,
  type RowValues,
  valueText,
} from '#kit/declare/reference.ts'
import { type Placeholder, sampled } from '#kit/words/placeholders.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { toast } from '#web/controls/toast.ts'
import { Check, SwitchField } from '#web/form/Check.tsx'
import { ChoiceField } from '#web/form/Choice.tsx'
import { Day } from '#web/form/dates/Day.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { TextField, TextInput } from '#web/form/TextField.tsx'
import type { FieldsOf, Form } from '#web/form/useForm.ts'
import type { NoMore } from '#web/form/useFormOf.ts'
import type { ShownRow, ShownTable } from './contract.ts'
import styles from './reference.module.css'
import { referenceApi } from './referenceApi.tsx'
import { nameOf } from './rules.ts'

type Values = Record<string, RowValues[string]>
type Declared = ShownTable['fields'][string]

/** A new row of a table, or one that is there: a control for each field that the table declares. */
export default function RowDialog({
  table,
  row,
  onClose,
}: {
  table: ShownTable
  row: ShownRow | null
  onClose: () => void
}) {
  const initial = (row?.values ?? blankRow(table as never)) as Values
  return (
    <FormDialog<NoMore, Values>
      title={row ? `编辑${table.title}：${nameOf(table, row)}` : `新增${table.title}`}
      submitText="保存"
      width={Object.values(table.fields).some(({ lines }) => lines) ? 720 : 480}
      // What it holds is declared by the table, whose rule judges a row wherever it comes from.
      of={{}}
      more={initial}
      refuse={values => brokenRow(table as never, values)}
      send={async (values, idempotencyKey) => {
        const seen = row?.values ?? null
        await referenceApi.save(
          { table: table.key, id: row?.id ?? null, seen, values: values as never },
          { idempotencyKey },
        )
        toast.success(row ? '修改成功' : '新增成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form =>
        Object.entries(table.fields).map(([key, field]) => (
          <RowField key={key} name={key} field={field} form={form} isNew={row === null} />
        ))
      }
    </FormDialog>
  )
}

type FieldProps = { name: string; field: Declared; form: Form<Values>; isNew: boolean }

function RowField({ name, field, form, isNew }: FieldProps) {
  const { label, kind, required, hint, rows, max, words, lines } = field
  const text = valueText(field as ReferenceField, form.draft[name])
  if (field.shown) return text === '' ? null : <FormNote>{`${label}：${text}`}</FormNote>
  if (lines) return <LinesField name={name} field={field} form={form} />
  if (kind === 'flag')
    return (
      <SwitchField form={form as FieldsOf<Record<string, boolean>>} name={name} label={label} hint={hint} />
    )
  if (kind === 'word')
    return isNew || !field.fixed ? (
      <ChoiceField
        form={form as FieldsOf<Record<string, string>>}
        name={name}
        label={label}
        options={Object.entries(words ?? {}).map(([value, text]) => ({ value, label: text }))}
        required={required}
      />
    ) : (
      <FormNote>{`${label}：${text}`}</FormNote>
    )
  if (kind === 'day')
    return isNew || !field.fixed ? (
      <Field form={form} name={name} label={label} required={required}>
        {control => (
          <Day
            {...control}
            value={String(form.draft[name] ?? '') || null}
            onChange={day => form.change({ [name]: day ?? '' })}
          />
        )}
      </Field>
    ) : (
      <FormNote>{`${label}：${text}`}</FormNote>
    )
  const places = placesOf(field as ReferenceField, form.draft)
  return (
    <>
      <TextField
        form={form as FieldsOf<Record<string, string>>}
        name={name}
        label={label}
        required={required}
        hint={hint}
        rows={rows}
        count={max}
      />
      {places && <Preview text={String(form.draft[name] ?? '')} places={places} />}
    </>
  )
}

/** The text as it reads once it is sent. */
function Preview({ text, places }: { text: string; places: readonly Placeholder[] }) {
  return (
    <figure className={styles.preview}>
      <figcaption>预览</figcaption>
      <blockquote>{sampled(text, places)}</blockquote>
    </figure>
  )
}

/** The entries of a field: what a payment method asks for. */
function LinesField({ name, field, form }: Omit<FieldProps, 'isNew'>) {
  const declared = field.lines as NonNullable<Declared['lines']>
  const entries = (form.draft[name] ?? []) as readonly Line[]
  const set = (next: readonly Line[]) => form.change({ [name]: next })
  const blank = Object.fromEntries(
    Object.entries(declared.fields).map(([key, { kind }]) => [key, kind === 'flag' ? false : '']),
  )
  return (
    <Field form={form} name={name} label={field.label} hint={field.hint} group>
      {control => (
        <div id={control.id} className={styles.lines}>
          {entries.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an entry has no name of its own while its key is typed.
            <fieldset key={at} className={styles.line} aria-label={`${field.label} ${at + 1}`}>
              {Object.entries(declared.fields).map(([key, part]) => (
                <Part
                  key={key}
                  part={part}
                  value={line[key] ?? ''}
                  label={`${part.label} ${at + 1}`}
                  onChange={value =>
                    set(entries.map((one, index) => (index === at ? { ...one, [key]: value } : one)))
                  }
                />
              ))}
              <Button
                kind="link"
                aria-label={`删除${field.label} ${at + 1}`}
                onClick={() => set(entries.filter((_, index) => index !== at))}
              >
                删除
              </Button>
            </fieldset>
          ))}
          <Button
            disabled={entries.length >= declared.most && `最多 ${declared.most} 项`}
            onClick={() => set([...entries, blank])}
          >
            {`添加${field.label}`}
          </Button>
        </div>
      )}
    </Field>
  )
}

type PartProps = {
  part: LineField
  value: string | boolean
  label: string
  onChange: (value: string | boolean) => void
}

function Part({ part, value, label, onChange }: PartProps) {
  if (part.kind === 'flag')
    return (
      <Check checked={value === true} onChange={onChange}>
        {part.label}
      </Check>
    )
  return (
    <TextInput
      aria-label={label}
      placeholder={part.label}
      value={String(value)}
      maxLength={part.max}
      onChange={onChange}
    />
  )
}
