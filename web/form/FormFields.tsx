import { lazy, type ReactNode } from 'react'
import type { Control, Field as DeclaredField, Fields } from '#kit/declare/fields.ts'
import type { Asked } from '#kit/declare/form.ts'
import { Suspense } from '../controls/Suspense.tsx'
import { SwitchField } from './Check.tsx'
import { ChoiceField } from './Choice.tsx'
import { type ControlProps, Field, type FieldProps, FormGrid } from './Field.tsx'
import type { Uploads } from './files/uploads.ts'
import { optionsOf } from './options.ts'
import { type InputProps, TextField, type TextProps } from './TextField.tsx'
import type { FieldsOf } from './useForm.ts'
import type { FormOf, NoMore } from './useFormOf.ts'

// They bring a component library, which a form without them does not wait for.
const PickedDay = lazy(() => import('./PickedFields.tsx').then(picked => ({ default: picked.PickedDay })))
const PickedWord = lazy(() => import('./PickedFields.tsx').then(picked => ({ default: picked.PickedWord })))
const Picture = lazy(() => import('./files/Upload.tsx').then(upload => ({ default: upload.PictureField })))

/** What the page alone knows of a field: a hint that tells what is typed, why it is locked. */
export type Told = FieldProps &
  Pick<
    InputProps,
    'placeholder' | 'unit' | 'autoComplete' | 'suggestions' | 'digits' | 'inputMode' | 'maxLength'
  > & {
    'data-autofocus'?: boolean
    /** The page draws several controls, which the label names together. */
    group?: boolean
  }

type OwnIn<F extends Asked, P extends keyof F> = {
  [K in P & string]: F[K] extends { control: { as: 'own' } } ? K : never
}[P & string]

/** How a field is drawn that the page draws, or draws in another way. */
type Slots<F extends Asked, P extends keyof F = keyof F> = {
  readonly [K in OwnIn<F, P>]: (control: ControlProps) => ReactNode
} & { readonly [K in keyof F]?: (control: ControlProps) => ReactNode }

/** Children by the names of fields: needed where a field is the page's own. */
export type SlotProps<F extends Asked, P extends keyof F = keyof F> = [OwnIn<F, P>] extends [never]
  ? { children?: Slots<F, P> }
  : { children: Slots<F, P> }

type FormFieldsProps<F extends Asked, More extends object, P extends keyof F = keyof F> = {
  form: FormOf<F, More>
  /** Unless told, all that are asked for. */
  only?: readonly P[]
  told?: { readonly [K in keyof F]?: Told }
} & SlotProps<F, P>

type Slotted = Readonly<Record<string, (control: ControlProps) => ReactNode>>

/** Fields of a form in their order, each with its control; short ones side by side. */
export function FormFields<F extends Asked, More extends object = NoMore, P extends keyof F = keyof F>(
  props: FormFieldsProps<F, More, P>,
) {
  const { form, only, told, children } = props
  return (
    <DrawnFields
      {...{
        form: form as unknown as AnyForm,
        only: only as readonly string[],
        told,
        slots: children as Slotted,
      }}
    />
  )
}

export type DrawnProps = {
  form: AnyForm
  only?: readonly string[]
  told?: Readonly<Record<string, Told | undefined>>
  slots?: Slotted
}

/** The same for who has said already what fits what. */
export function DrawnFields({ form, only, told = {}, slots = {} }: DrawnProps) {
  const asked = Object.entries(form.fields).filter(([key]) => only === undefined || only.includes(key))
  return inRows(asked).map(row => {
    const drawn = row.map(([key, field]) => (
      <FormField key={key} form={form} name={key} field={field} told={told[key]} slot={slots[key]} />
    ))
    return row.length > 1 ? <FormGrid key={row[0]?.[0]}>{drawn}</FormGrid> : drawn
  })
}

type Entry = [key: string, field: Asked[string]]

/** Neighbours that are short share a row. */
function inRows(asked: readonly Entry[]): Entry[][] {
  const rows: Entry[][] = []
  for (const entry of asked) {
    const last = rows.at(-1)
    if (entry[1].control.half && last?.[0]?.[1].control.half) last.push(entry)
    else rows.push([entry])
  }
  return rows
}

/** A form whose fields hold anything: which it is says the control that draws it. */
type AnyForm = FieldsOf<never> & { fields: Asked; uploads: Uploads }

type FieldOf = {
  form: AnyForm
  name: string
  field: Asked[string]
  told: Told | undefined
  slot: ((control: ControlProps) => ReactNode) | undefined
}

function FormField({ form, name, field, told, slot }: FieldOf) {
  const { control } = field
  const { label = field.label, required, hint, look } = control
  const as = { label, required, hint, ...told }
  if (slot)
    return (
      <Field {...as} form={form} name={name}>
        {slot}
      </Field>
    )
  const words = optionsOf(field.words ?? {})
  if (control.reversed) words.reverse()
  switch (control.as) {
    case 'text':
    case 'lines':
    case 'number':
    case 'money':
      return (
        <TextField
          {...inputOf(field)}
          {...told}
          form={form as unknown as FieldsOf<Record<string, string>>}
          name={name}
        />
      )
    case 'switch':
      return <SwitchField {...as} form={form as unknown as FieldsOf<Record<string, boolean>>} name={name} />
    case 'choice':
      return (
        <ChoiceField
          {...as}
          form={form as unknown as FieldsOf<Record<string, string>>}
          name={name}
          options={words}
          look={look}
        />
      )
    case 'select':
    case 'day':
    case 'picture':
      return (
        <Suspense
          fallback={
            <Field {...as} form={form} name={name}>
              {() => null}
            </Field>
          }
        >
          <Later as={control.as} {...{ form, name, field, told: as }} />
        </Suspense>
      )
    case 'own':
      throw new Error(`${name} is the page's own`)
  }
}

function Later({
  as,
  form,
  name,
  field,
  told,
}: Omit<FieldOf, 'slot'> & { as: 'select' | 'day' | 'picture' }) {
  const { purpose = name, onlyOne = '', placeholder } = field.control
  const chosen = form as unknown as FieldsOf<Record<string, string | null>>
  const picked = { placeholder, ...told, form: chosen, name }
  if (as === 'day') return <PickedDay {...picked} />
  if (as === 'select') return <PickedWord {...picked} words={field.words ?? {}} />
  return (
    <Picture
      form={chosen}
      name={name}
      label={told?.label ?? field.label}
      purpose={purpose}
      onlyOne={onlyOne}
      uploads={form.uploads}
    />
  )
}

const INPUT_MODES: Partial<Record<DeclaredField['kind'] | Control['as'], Control['inputMode']>> = {
  phone: 'tel',
  digits: 'numeric',
  number: 'numeric',
  money: 'decimal',
}

/** A typed field as its declaration says. */
export function inputOf(field: DeclaredField): TextProps {
  const { kind, label, max, unit, control } = field
  const { as = 'text', counted, secret, rows, required, hint, placeholder, suggestions } = control ?? {}
  return {
    label: control?.label ?? label,
    required,
    hint,
    placeholder,
    suggestions,
    secret,
    rows: as === 'lines' ? (rows ?? 2) : undefined,
    wide: as === 'lines' || undefined,
    unit: as === 'number' || as === 'money' ? unit : undefined,
    inputMode: control?.inputMode ?? INPUT_MODES[as] ?? INPUT_MODES[kind],
    count: counted && max,
  }
}

type GroupProps<D> = {
  fields: Fields
  /** The group whose texts it shows, in their order. */
  group: string
  form: FieldsOf<D>
  lockOf?: (field: string) => string | null
}

/** The texts of a group that a form of its own making holds, each as its field declares it. */
export function GroupFields<D extends object>({ fields, group, form, lockOf }: GroupProps<D>) {
  const texts = form as unknown as FieldsOf<Record<string, string>>
  const shown = Object.entries(fields).filter(
    ([key, { control }]) => control?.group === group && key in form.draft,
  )
  return shown.map(([key, field]) => {
    const lock = lockOf?.(key) ?? null
    return (
      <TextField key={key} {...inputOf(field)} form={texts} name={key} lock={lock} disabled={lock !== null} />
    )
  })
}
