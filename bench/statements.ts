// What the floor runs: the statements of one operation as the program sent them, with holes where calls differ.
import pg from 'pg'

export type Vars = Record<string, string | number>
type Hole = { name: string }
/** A value of a statement: the same in every call, or text with holes. */
export type Value = { fixed: unknown } | { pieces: (string | Hole)[] }
export type Statement = { name?: string; text: string; values: Value[] }

export type Recorded = { statements: Statement[]; writes: boolean }

/** Who calls, whether they may, and what is remembered of it: the floor has none of that. */
const NOT_OF_THE_FLOOR =
  /set_config|^set |log_operation|idempotency_keys|"sessions"|permission_nodes|^(begin|commit|rollback)/

type Sent = { name?: string; text: string; values: unknown[] }

/** Runs `call` and returns the statements that it sent through any `pg` client of this process. */
export async function recordStatements<T>(call: () => Promise<T>): Promise<{ sent: Sent[]; result: T }> {
  const sent: Sent[] = []
  const prototype = pg.Client.prototype as { query: (...args: unknown[]) => unknown }
  const original = prototype.query
  prototype.query = function (...args: unknown[]) {
    const config = typeof args[0] === 'string' ? { text: args[0] } : (args[0] as Partial<Sent>)
    const values = (Array.isArray(args[1]) ? args[1] : config.values) ?? []
    if (!NOT_OF_THE_FLOOR.test(config.text ?? ''))
      sent.push({ name: config.name, text: config.text ?? '', values: [...values] })
    return original.apply(this, args)
  }
  try {
    return { result: await call(), sent }
  } finally {
    prototype.query = original
  }
}

/** Puts holes where the values of `vars` stand. Texts are searched for them, so they must be unmistakable. */
export function withHoles(sent: readonly Sent[], vars: Vars): Statement[] {
  return sent.map(({ name, text, values }) => ({
    ...(name === undefined ? {} : { name }),
    text,
    values: values.map(value => holed(value, vars)),
  }))
}

function holed(value: unknown, vars: Vars): Value {
  if (typeof value !== 'string' && typeof value !== 'number') return { fixed: value }
  let pieces: (string | Hole)[] = [String(value)]
  for (const [name, found] of Object.entries(vars))
    pieces = pieces.flatMap(piece =>
      typeof piece === 'string'
        ? piece.split(String(found)).flatMap((part, i) => (i === 0 ? [part] : [{ name }, part]))
        : [piece],
    )
  return pieces.length === 1 ? { fixed: value } : { pieces: pieces.filter(piece => piece !== '') }
}

export function fillHoles(value: Value, vars: Vars): unknown {
  if ('fixed' in value) return value.fixed
  return value.pieces.map(piece => (typeof piece === 'string' ? piece : vars[piece.name])).join('')
}
