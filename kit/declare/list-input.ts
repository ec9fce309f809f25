// The request of a list and of its file as zod shapes, made of the list's declaration.

import type { Entered, Field, Fields, KeysIn, Place, ValueOf } from './fields.ts'
import { keysIn, textKind } from './fields.ts'
import {
  conditionsText,
  type Filter,
  type FilterParams,
  fieldOf,
  fileKeys,
  type List,
  paramsOf,
  TEXT_MAX,
} from './list.ts'
import { download } from './op.ts'
import { day, flag, pageInput, searchText, whole } from './page.ts'
import { linesText, madeText, soughtText, textOf } from './texts.ts'
import * as z from './z.ts'

type FilterShape<L extends List> = {
  [K in keyof FilterParams<L>]-?: z.ZodOptional<
    z.ZodType<NonNullable<FilterParams<L>[K]>, NonNullable<FilterParams<L>[K]>>
  >
} & (L extends { search: string } ? { search: typeof searchText } : Record<never, never>)
type SortShape<L extends List> = L extends { sorts: readonly (infer S extends string)[] }
  ? { sort: z.ZodDefault<z.ZodType<S, S>>; order: z.ZodDefault<z.ZodType<'asc' | 'desc', 'asc' | 'desc'>> }
  : Record<never, never>

/** Search and filters of the list. */
export function filterShape<L extends List>(list: L): FilterShape<L> {
  const shapes = Object.entries(list.filters ?? {}).flatMap(([key, filter]) =>
    paramsOf(key, filter).map((name): [string, z.ZodType] => [name, shapeOf(filter).optional()]),
  )
  const search = list.search === undefined ? {} : { search: searchText }
  return { ...search, ...Object.fromEntries(shapes) } as unknown as FilterShape<L>
}

function shapeOf(filter: Filter): z.ZodType {
  switch (filter.kind) {
    case 'word':
      return z.enum((filter.some ?? Object.keys(filter.words)) as [string, ...string[]])
    case 'days':
      return day
    case 'id':
      return whole(0)
    case 'number':
      return whole(0, Math.max(...filter.choices.map(([value]) => value)))
    case 'flag':
      return flag()
    case 'text':
      return soughtText.max(TEXT_MAX)
  }
}

function sortShape<L extends List>(list: L): SortShape<L> {
  const { sorts, order = 'desc' } = list
  if (!sorts) return {} as SortShape<L>
  return {
    sort: z.enum(sorts as [string, ...string[]]).default(sorts[0] as string),
    order: z.enum(['asc', 'desc']).default(order),
  } as unknown as SortShape<L>
}

/** What the list's operation takes. */
export function listInput<L extends List>(list: L) {
  return { ...pageInput, ...filterShape(list), ...sortShape(list) }
}

/** The list's file: what is filtered, in the list's order, with the chosen columns (keys with commas; all when absent). */
export function fileOf<L extends List>(list: L) {
  if (!list.file) throw new Error(`${list.key} has no file`)
  const { name: fileName, ...file } = list.file
  const columns = madeText.max(40 * fileKeys(list).length).optional()
  return download({
    ...file,
    fileName,
    // It tells of a moment that is past once it is opened.
    mayLag: true,
    input: z.object({ ...filterShape(list), ...sortShape(list), columns }),
    told: asked => toldOf(list, asked),
  })
}

function toldOf(list: List, asked: Readonly<Record<string, unknown>>): [name: string, text: string][] {
  const wanted = String(asked.columns ?? '').split(',')
  const labels = fileKeys(list).flatMap(key => (wanted.includes(key) ? [fieldOf(list, key).label] : []))
  const conditions: [string, string] = ['筛选条件', conditionsText(list, asked)]
  return labels.length > 0 ? [conditions, ['列', labels.join('、')]] : [conditions]
}

type RowShape<F extends Fields, P extends Place> = {
  [K in KeysIn<F, P>]: z.ZodType<ValueOf<F[K]>, ValueOf<F[K]>>
}

type Shape<F extends Fields> = { [K in keyof F & string]: z.ZodType<ValueOf<F[K]>, ValueOf<F[K]>> }

/** All of these fields as they leave the server. */
export function rowShape<F extends Fields>(fields: F): Shape<F> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [key, fieldShape(field)]),
  ) as Shape<F>
}

/** The fields of a place as they leave the server. */
export function outputShape<F extends Fields, P extends Place>(fields: F, place: P): RowShape<F, P> {
  const shapes = keysIn(fields, place).map((key): [string, z.ZodType] => [
    key,
    fieldShape(fields[key] as Field),
  ])
  return Object.fromEntries(shapes) as RowShape<F, P>
}

function fieldShape(field: Field): z.ZodType {
  const shape = valueShape(field)
  return field.nullable ? shape.nullable() : shape
}

function valueShape(field: Field): z.ZodType {
  switch (field.kind) {
    case 'id':
    case 'count':
    case 'money':
      return z.number()
    case 'flag':
      return z.boolean()
    case 'word':
      return z.enum(Object.keys(field.words ?? {}) as [string, ...string[]])
    default:
      return z.string()
  }
}

/** Bounded far above what rules allow, so that the rules tell what is too long. */
export const enteredText = linesText.max(500)

/** What a form sends: the fields that it asks for, whose limits are told by `brokenOf`. */
export function meantShape<F extends Fields>(fields: F): Shape<F> {
  const shapes = Object.entries(fields).map(([key, field]) => {
    const shape = meantValueShape(field)
    return [key, field.nullable ? shape.nullable() : shape]
  })
  return Object.fromEntries(shapes) as Shape<F>
}

function meantValueShape(field: Field): z.ZodType {
  if (field.control?.as === 'picture') return z.uuid()
  if (field.control?.as === 'day') return day
  if (field.kind !== 'text' && field.kind !== 'digits' && field.kind !== 'phone') return valueShape(field)
  // Bounded far above the limit, so that the form tells what is too long.
  return textOf(textKind(field)).max(Math.max(500, 2 * (field.max ?? 0)))
}

/** The fields of a form as a person leaves them: what is not chosen yet is null, and the rules say what is missing. */
export function inputShape<F extends Fields, P extends 'add' | 'edit'>(fields: F, form: P) {
  const shapes = keysIn(fields, form).map((key): [string, z.ZodType] => [
    key,
    enteredShape(fields[key] as Field),
  ])
  return Object.fromEntries(shapes) as { [K in KeysIn<F, P>]: z.ZodType<Entered<F[K]>, Entered<F[K]>> }
}

function enteredShape(field: Field): z.ZodType {
  switch (field.kind) {
    case 'id':
    case 'count':
    case 'money':
      return z.number().int().nullable()
    case 'flag':
    case 'word':
      return valueShape(field)
    case 'instant': {
      const instant = z.iso.datetime({ offset: true })
      return field.nullable ? instant.nullable() : instant
    }
    case 'day':
      return day
    default:
      return textOf(textKind(field)).max(500)
  }
}
