// An expected refusal: a code of the operation's contract with the message a person reads.
import type { Fields } from '#kit/declare/fields.ts'
import { brokenOf } from '#kit/declare/form.ts'
import { COMMON_REFUSALS } from '#kit/declare/op.ts'
import { NOT_WHOLE } from '#kit/declare/page.ts'

export class Refusal extends Error {
  readonly code: string
  readonly data: Record<string, unknown> | undefined
  /** What was written before the refusal stays written. */
  readonly keepsWrites: boolean

  constructor(code: string, message: string, data?: Record<string, unknown>, keepsWrites = false) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.data = data
    this.keepsWrites = keepsWrites
  }
}

/** Throws the refusal when a rule answered a code; `data` may name the field. */
export function refuse<T extends Readonly<Record<string, string>>>(
  code: (keyof T & string) | null,
  messages: T,
  data?: Record<string, unknown>,
): void {
  if (code !== null) throw new Refusal(code, messages[code] ?? code, data)
}

export function refuseCommon(code: keyof typeof COMMON_REFUSALS, data?: Record<string, unknown>): never {
  throw new Refusal(code, COMMON_REFUSALS[code], data)
}

/** What is the vendor's own, and no agent's row: refused to everybody else, whatever their role names. */
export function staffAlone({ actor }: { actor: { isVendorStaff: boolean } }): void {
  if (!actor.isVendorStaff) refuseCommon('FORBIDDEN')
}

/** Refuses the first text of a form that is not as its field declares it. */
export function refuseBroken(fields: Fields, form: object): void {
  const [broken] = brokenOf(fields, form)
  if (broken) throw new Refusal('INPUT_INVALID', broken.message, { field: broken.field })
}

/** The row, or the refusal that it does not exist (for this actor). */
export function found<T>(row: T | undefined | null): T {
  if (row === undefined || row === null) refuseCommon('NOT_FOUND')
  return row
}

export type Issue = {
  path?: readonly unknown[]
  message: string
  code?: string
  expected?: string
  origin?: string
  minimum?: number
  maximum?: number
  keys?: readonly string[]
  values?: readonly unknown[]
}

/** What is wrong with a number, which is then never another one, or which name nothing has; null: the input is wrong in another way. */
function wordsOf(issue: Issue | undefined): string | null {
  if (issue?.code === 'unrecognized_keys') return `没有名为 ${issue.keys?.[0]} 的项`
  if (issue?.message === NOT_WHOLE || (issue?.code === 'invalid_type' && issue.expected === 'int'))
    return NOT_WHOLE
  if (issue?.origin !== 'number' && issue?.origin !== 'int') return null
  if (issue.code === 'too_small') return `不得小于${issue.minimum}`
  return issue.code === 'too_big' ? `不得大于${issue.maximum}` : null
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ string: '文本', number: '数字', int: '整数', boolean: ' true 或 false', array: '列表' },
  ...{ object: '对象', record: '对象' },
}
/** One thing that is wrong, for whoever writes the program. */
function partWords(issue: Issue): string {
  const own = wordsOf(issue)
  if (own !== null) return own
  const { code, expected = '', values = [], origin, minimum, maximum } = issue
  if (code === 'invalid_type') return `须为${TYPES[expected] ?? ` ${expected}`}`
  if (code === 'invalid_value') return `须为 ${values.join('、')} 之一`
  const unit = origin === 'string' ? '个字符' : '项'
  if (code === 'too_small') return `不得少于${minimum}${unit}`
  if (code === 'too_big') return `不得多于${maximum}${unit}`
  return '不符合接口描述'
}

const TOLD = { issues: 20, name: 40 } as const
/** Each name that is not known by itself, where it stands. */
function apart(issue: Issue): Issue[] {
  const { code, path = [], keys = [] } = issue
  if (code !== 'unrecognized_keys') return [issue]
  return keys.slice(0, TOLD.issues).map(key => {
    const name = key.slice(0, TOLD.name)
    return { ...issue, path: [...path, name], keys: [name] }
  })
}

/** What is said of an input that does not fit its contract, and where. */
export function inputRefusal(found: readonly Issue[]) {
  const issues = found.flatMap(apart).slice(0, TOLD.issues)
  const fieldOf = (path: readonly unknown[] = []) =>
    path
      .map(part => (typeof part === 'object' && part !== null ? (part as { key: unknown }).key : part))
      .join('.')
  return {
    message: wordsOf(issues[0]) ?? COMMON_REFUSALS.INPUT_INVALID,
    data: {
      // Of the whole input there is no field.
      field: (issues[0] && fieldOf(issues[0].path)) || undefined,
      issues: issues.map(issue => `${fieldOf(issue.path) || '内容'}: ${partWords(issue)}`),
    },
  }
}

export function refuseInput(issues: readonly Issue[]): never {
  const { message, data } = inputRefusal(issues)
  throw new Refusal('INPUT_INVALID', message, data)
}
