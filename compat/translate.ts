// Both ways of a call, from its row alone: what a client sent to the input of an operation, and its answer to what the documents have.
import type { Answers, Sent, Taken, Takes, Told, When } from './call.ts'
import { jsonOf } from './units.ts'

/** A payload that its reader does not understand. */
export class Unreadable extends Error {}

const isThing = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** What stands at a path such as `data.sms_mealnum` or `rows.0.refusal`; `''` is all of it. */
export function at(thing: unknown, path: string): unknown {
  if (path === '') return thing
  return path.split('.').reduce<unknown>((held, name) => {
    const inner = jsonOf(held)
    return isThing(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined
  }, thing)
}

export function sentBy(sent: Sent, names: readonly string[]): unknown {
  for (const name of names) {
    const value = at(sent, name)
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

export function applies(when: When | undefined, sent: Sent): boolean {
  if (when === undefined) return true
  if ('both' in when) return when.both.every(one => applies(one, sent))
  if ('is' in when) return when.is.includes(String(sentBy(sent, [when.sent]) ?? ''))
  const isGiven = (name: string) => ![undefined, ''].includes(sentBy(sent, [name]) as string | undefined)
  return 'given' in when ? isGiven(when.given) : !isGiven(when.missing)
}

export function taken(takes: Takes, sent: Sent, answers: Answers): Record<string, unknown> {
  const input = Object.entries(takes).map(([ours, one]) => [ours, takenBy(one, sent, answers)] as const)
  return Object.fromEntries(input.filter(([, value]) => value !== undefined))
}

function takenBy(one: Taken, sent: Sent, answers: Answers): unknown {
  if ('always' in one) return one.always
  if ('had' in one) {
    const had = at(answers, one.had)
    if (had === undefined) return one.or && takenBy(one.or, sent, answers)
    return one.as ? one.as.read(had) : had
  }
  if ('made' in one) {
    try {
      return one.made(sent, answers)
    } catch (error) {
      throw new Unreadable(one.words, { cause: error })
    }
  }
  if ('all' in one) return taken(one.all, sent, answers)
  if ('list' in one)
    return one.list.map(each => takenBy(each, sent, answers)).filter(each => each !== undefined)
  const value = sentBy(sent, 'each' in one ? one.each : one.from)
  if ('each' in one) {
    const list = jsonOf(value)
    return Array.isArray(list) ? list.map(each => taken(one.of, isThing(each) ? each : {}, answers)) : list
  }
  if (value === undefined) return one.or && takenBy(one.or, sent, answers)
  return one.as.read(value)
}

/** By which of the documents' names a field of the operation's input was taken. */
export function nameOf(takes: Takes | undefined, field: string): string | undefined {
  const [first = ''] = field.split('.')
  const one = takes && Object.hasOwn(takes, first) ? takes[first] : undefined
  if (one === undefined) return undefined
  if ('from' in one) return one.from[0]
  return 'each' in one ? one.each[0] : undefined
}

/** `opens` makes the address of what a client opens next. */
export function answered(
  one: Told,
  answer: unknown,
  by: { sent: Sent; opens: (path: string) => string },
): unknown {
  if ('always' in one) return one.always
  if ('sent' in one) return at(by.sent, one.sent)
  if ('opens' in one) return by.opens(one.opens)
  if ('json' in one) return JSON.stringify(answered(one.json, answer, by))
  if ('all' in one)
    return Object.fromEntries(
      Object.entries(one.all).map(([name, each]) => [name, answered(each, answer, by)]),
    )
  if ('each' in one) {
    const list = at(answer, one.each)
    return Array.isArray(list) ? list.map(each => answered(one.of, each, by)) : []
  }
  const value = at(answer, one.told)
  if (value === undefined || value === null) return one.or ?? (one.as ? one.as.write(null) : null)
  return one.as ? one.as.write(value) : value
}
