// docs/COMPAT.md, made of the table.
import type { Call, Step, Taken, Takes } from './call.ts'
import { CALLS, ELSEWHERE, pathsOf } from './calls.ts'

const HEAD = `# The old clients' calls

Made of the rows of \`compat/calls/\` by \`npm run compat:document\`; a test compares. \`compat/README.md\` says how one is read.

Clients that know the documents' calls speak them here: the same operations, rules, rights and limits as everywhere. The door is shut unless
\`COMPAT_CALLS\` is \`on\` (it is in the demo), and an account signs in only once its owner has opened it (账户管理, 登录与安全, 旧接口), with a
warning and for 30 to 180 days. The operator sees who makes which call (账户管理, 旧接口), and closes them one by one. New programs use API keys (\`docs/API.md\`).

- **Signing in**: \`AppLogin\` answers a token for two hours. It is sent as \`key\`, in the address or as a header, and stands in no log. It has the rights of
  an API key of that account, and nothing that asks for a second factor.
- **Envelopes**: (a) \`{succeed, values, errmsg}\`, a refusal in both of the last; (b) \`{code, data, msg}\`, code 1 is success. Refusals are answered with
  status 200, as clients read the envelope; 429 (\`Retry-After\`) and 5xx keep their status.
- **Parameters** come in the address, as a form, as several parts or as JSON; names with a dot stand within JSON, also in a text.
- **Units**: amounts have two decimals, instants are \`YYYY-MM-DD HH:mm:ss\` of Shanghai, states are the documents' numbers.
- **Once**: what is sent twice within three seconds is one act; whoever sends \`Idempotency-Key\` says so for as long as they like.
- **Addresses**: those that the documents give; every other name stands at \`/UserInfo/<Name>\`, by GET and POST.
- Every answer says \`Deprecation\` and where the other door is.

`

const cell = (text: string) => text.replace(/\|/g, '\\|').replace(/\s*\n\s*/g, ' ')
const code = (text: string) => `\`${text}\``

/** What a client sends for an operation's fields. */
function parametersIn(takes: Takes = {}): string[] {
  return Object.entries(takes).flatMap(([ours, one]) => parameter(ours, one))
}

function parameter(ours: string, one: Taken): string[] {
  if ('all' in one) return parametersIn(one.all)
  if ('list' in one) return one.list.flatMap(each => parameter(ours, each))
  if ('each' in one)
    return [`${one.each.map(code).join(' or ')} each with ${parametersIn(one.of).join(', ')}`]
  if ('made' in one) return [code(one.words)]
  if (!('from' in one)) return []
  const [first = '', ...others] = one.from
  return [`${code(first)}${others.length > 0 ? ` (${others.join(', ')})` : ''}: ${ours}, ${one.as.words}`]
}

function chosenBy({ when }: Step): string {
  if (when === undefined) return ''
  const said = (one: NonNullable<Step['when']>): string => {
    if ('both' in one) return one.both.map(said).join(' and ')
    if ('is' in one)
      return `${one.sent} ${one.is.filter(Boolean).join(' or ')}${one.is.includes('') ? ' or nothing' : ''}`
    return 'given' in one ? `with ${one.given}` : `without ${one.missing}`
  }
  return ` (${said(when)})`
}

function operations({ does }: Call): string {
  if ('none' in does) return `none: ${does.none}`
  if ('file' in does) return `file ${code(does.file)}`
  const upload = does.upload ? ['an upload'] : []
  const steps = does.steps.map(step => `${code(step.operation)}${chosenBy(step)}`)
  const all = [...upload, ...steps]
  return all.length === 0 ? 'answered here' : [...new Set(all)].join(', ')
}

function parameters({ does }: Call): string {
  if ('none' in does) return '—'
  if ('file' in does) return parametersIn(does.takes).join('; ') || '—'
  const own = does.upload
    ? [`${code(does.upload.field)}: the picture`, ...parameter('purpose', does.upload.purpose)]
    : []
  const all = [...own, ...does.steps.flatMap(({ takes }) => parametersIn(takes))]
  return [...new Set(all)].join('; ') || '—'
}

function row(call: Call): string {
  const names = [call.name, ...(call.also ?? [])].map(code).join(', ')
  const cells = [
    names,
    call.methods.join(', '),
    pathsOf(call).slice(0, 1).map(code).join(', '),
    call.said,
    call.envelope === 'values' ? '(a)' : '(b)',
    operations(call),
    parameters(call),
    call.chosen ?? '',
  ]
  return `| ${cells.map(cell).join(' | ')} |`
}

/** The whole page. */
export function compatDocument(): string {
  const head = ['Call', 'Method', 'Path', 'Documents', 'Envelope', 'Operation', 'Parameters', 'Our choice']
  const rows = [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...CALLS.map(row)]
  const beside = ELSEWHERE.map(({ name, said, why }) => `- ${name} (${said}): ${why}.`)
  return `${HEAD}## Not in the table\n\n${beside.join('\n')}\n\n## The table\n\n${CALLS.length} calls.\n\n${rows.join('\n')}\n`
}
