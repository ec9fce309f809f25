// A form made of the fields that it asks for: first values, limits and messages are theirs.
import { type Asked, brokenOf, type Meant, meantBy, type Typed, typedOf } from '#kit/declare/form.ts'
import type { Question } from '../controls/confirm.ts'
import { type Uploads, useUploads } from './files/uploads.ts'
import { type Broken, type Form, useForm } from './useForm.ts'

/** What a form holds beside its fields. */
export type NoMore = Record<never, never>

export type OptionsOf<F extends Asked, More extends object> = {
  /** The fields, in their order. */
  of: F
  /** What they hold already: a row, or what is proposed. */
  known?: Partial<Meant<F>> | null
  /** Fields that are not asked for this time: neither shown nor judged. */
  without?: readonly (keyof F & string)[]
  /** What it holds beside them, of which the page draws all. */
  more?: More
  /** Rules beyond what the fields say, judged once that holds. */
  refuse?: (values: Meant<F> & More) => readonly Broken[] | Broken | null
  /** `refuse` bears values that are missing or out of range: what it finds is told with what the fields say. */
  tellsAll?: boolean
  /** What will happen, asked before it is sent; null: that needs no asking. */
  question?: (values: Meant<F> & More) => Question | null | Promise<Question | null>
  /** Sends what was meant; the key stays the same until it was taken. */
  send: (values: Meant<F> & More, idempotencyKey: string) => unknown
  /** After it was taken. */
  onDone?: (values: Meant<F> & More) => unknown
  /** Deals with a failure in its own way, or answers false. */
  onRefused?: (error: unknown) => boolean
}

export type FormOf<F extends Asked, More extends object = NoMore> = Form<Typed<F> & More> & {
  /** Those that are asked for. */
  fields: Partial<F>
  uploads: Uploads
  /** What is meant by what is typed now; NaN where a number is none. */
  meant: () => Meant<F> & More
}

export function useFormOf<F extends Asked, More extends object = NoMore>(
  options: OptionsOf<F, More>,
): FormOf<F, More> {
  const { of, without = [], known, refuse, tellsAll = false, question, send, onDone, onRefused } = options
  const uploads = useUploads()
  const fields = Object.fromEntries(
    Object.entries(of).filter(([key]) => !(without as readonly string[]).includes(key)),
  )
  const meant = (draft: Typed<F> & More) => ({ ...draft, ...meantBy(of, draft) }) as Meant<F> & More
  const judge = (draft: Typed<F> & More) => {
    const sending = uploads.broken()
    const broken = sending ? [sending] : brokenOf(fields, meantBy(fields, draft))
    if (broken.length > 0 && !tellsAll) return broken
    const more = [refuse?.(meant(draft)) ?? []].flat()
    return [...broken, ...more.filter(({ field }) => !broken.some(one => one.field === field))]
  }
  const form = useForm<Typed<F> & More>({
    initial: { ...typedOf(of, known ?? undefined), ...options.more } as Typed<F> & More,
    judge,
    question: question && (draft => question(meant(draft))),
    send: (draft, key) => send(meant(draft), key),
    onDone: onDone && (draft => onDone(meant(draft))),
    onRefused,
  })
  return { ...form, fields: fields as Partial<F>, uploads, meant: () => meant(form.draft) }
}
