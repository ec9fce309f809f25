// What the documents put in backticks is there: paths, commands, addresses and names of the code. Of decisions, which speak of others'
// names, too, paths and commands alone; what one names as it was stands there as "`path` (since gone)".
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { DISTRICTS, forbid, ROOT, SOURCES } from './sources.ts'

const DOCUMENTS = globSync(
  [
    'README.md',
    'SECURITY.md',
    'docs/**/*.md',
    '{app,bench,bridge,compat,features,kit,migrations,operate,providers,scripts,server,test,web}/**/*.md',
  ],
  { cwd: ROOT },
).sort()
const isDecision = (path: string) => path.startsWith('docs/decisions/')

/** Names of others, and examples. */
const FOREIGN = [
  'Origin',
  'Secure',
  'X-Forwarded-For',
  'postgres://user:password@host:port/database',
  './data',
  '-- --base REVISION',
  'verbNoun(ctx, input)',
]

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const PACKAGE = read('package.json')
const { scripts: SCRIPTS } = JSON.parse(PACKAGE) as { scripts: Record<string, string> }
const CODE = [
  PACKAGE,
  ...SOURCES.filter(({ path }) => !/\.(test|e2e)\.ts$/.test(path)).map(({ text }) => text),
  ...globSync('{migrations/**/*.sql,**/*.module.css,operate/**/*.yml,*.json,index.html}', {
    cwd: ROOT,
    exclude: ['node_modules'],
  }).map(read),
].join('\n')
const WORD = /[A-Za-z_$][\w$-]*/g
const WORDS = new Set(CODE.match(WORD))

const SINCE_GONE = ' (since gone)'
type Span = { path: string; line: number; span: string; isGone: boolean }
const SPANS: Span[] = DOCUMENTS.flatMap(path => {
  const text = read(path).replace(/```[\s\S]*?```/g, block => block.replace(/[^\n]/g, ''))
  return [...text.matchAll(/`([^`]+)`/g)].map(({ 1: span = '', index }) => ({
    path,
    line: text.slice(0, index).split('\n').length,
    span: span.replace(/\s+/g, ' '),
    isGone: text
      .slice(index + span.length + 2)
      .replace(/^\s+/, ' ')
      .startsWith(SINCE_GONE),
  }))
})
const told = ({ path, line, span }: Span) => `${path}:${line} \`${span}\``
const known = SPANS.filter(({ span }) => !FOREIGN.includes(span))

/** Of what speaks of the code as it is; the glossary has a test of its own. */
const ofCode = known.filter(({ path }) => !isDecision(path) && path !== 'docs/GLOSSARY.md')

const isCommand = ({ span }: Span) => /^(npm|node) /.test(span)
const isAddress = ({ span }: Span) => span.startsWith('/')
const FILES = globSync(
  '{*,{app,bench,bridge,compat,docs,features,kit,migrations,operate,providers,scripts,server,test,web}/**}',
  {
    cwd: ROOT,
    exclude: ['node_modules'],
  },
)
const ROOMS = new Set(FILES.map(file => file.split('/', 1)[0]))
const isPath = ({ span }: Span) =>
  /^[\w.<>*…{},-]+(\/[\w.<>*…{},-]+)*\/?$/.test(span) &&
  (/\.(tsx?|mjs|md|css|sql)$/.test(span) || (span.includes('/') && ROOMS.has(span.split('/', 1)[0])))

test('the walk sees the documents', () => {
  assert.ok(DOCUMENTS.length > 8)
  for (const kind of [isCommand, isAddress, isPath]) assert.ok(known.filter(kind).length > 3)
})

test('the map has a line for each district, with all of its features in their order', () => {
  const lines = read('docs/ARCHITECTURE.md').matchAll(/^\| \*\*(\w+)\*\* \| (.*) \|$/gm)
  const map = [...lines].map(([, name = '', told = '']) => ({
    name,
    features: [...told.matchAll(/`([^`]+)`/g)].map(([, feature]) => feature),
  }))
  const told = DISTRICTS.map(({ name, features }) => ({
    name,
    features: features.map(({ folder }) => folder.replace(/^features\/\w+\//, '')),
  }))
  assert.deepEqual(map, told, 'Name the feature in the line of its district, where it stands in its order.')
})

test('every path is there; what stands for any name finds at least one', () => {
  const missing = known.filter(span => isPath(span) && !span.isGone && !exists(span))
  forbid(missing.map(told), `Write where it is now, or in a decision that it is of the past:${SINCE_GONE}.`)
})

test('of the past is what is not there, and decisions alone speak of it', () => {
  const gone = SPANS.filter(({ isGone }) => isGone)
  forbid(
    gone.filter(span => !isDecision(span.path) || !isPath(span) || exists(span)).map(told),
    `Take${SINCE_GONE} away.`,
  )
})

/**
 * From the root where it begins with a room, otherwise wherever it lies; `<x>`, `…` and `*` stand for any name, `{a,b}` for either, and a
 * number for the decision that begins with it.
 */
function exists({ span }: Span): boolean {
  const isRooted = span.includes('/') && ROOMS.has(span.split('/', 1)[0])
  const pattern = span
    .replace(/\/$/, '')
    .replace(/<\w+>|…/g, '*')
    .replaceAll('.', '\\.')
    .replaceAll('*', '[^/]*')
    .replace(/\{([^}]*)\}/g, (_, names: string) => `(${names.replaceAll(',', '|')})`)
  const end = /^docs\/decisions\/\d+$/.test(span) ? '-' : '(/|$)'
  const path = new RegExp(`${isRooted ? '^' : '(^|/)'}${pattern}${end}`)
  return FILES.some(file => path.test(file))
}

test('every command is one of package.json or a script', () => {
  const missing = known.filter(isCommand).filter(({ span }) => {
    const [program, command = '', name = ''] = span.split(' ')
    if (program === 'node') return !existsSync(join(ROOT, command))
    return !((command === 'run' ? name : command) in SCRIPTS) && !['ci', 'install'].includes(command)
  })
  forbid(missing.map(told), 'Name a script of package.json.')
})

test('every address is one that the program answers', () => {
  const missing = ofCode.filter(span => isAddress(span) && !CODE.includes(`/${span.span.split('/')[1]}`))
  forbid(missing.map(told), 'Write the address as the code has it.')
})

test('every other name is one of the code', () => {
  const missing = ofCode
    .filter(span => !isCommand(span) && !isAddress(span) && !isPath(span))
    .filter(({ span }) => (span.match(WORD) ?? []).some(word => !isOfCode(word)))
  forbid(missing.map(told), 'Call it as the code does.')
})

/** A setting of a provider stands in its room without the provider's own name, or as `_APPID`. */
function isOfCode(word: string): boolean {
  if (WORDS.has(word) || (word.startsWith('_') && CODE.includes(word))) return true
  const parts = /^[A-Z\d_]+$/.test(word) ? word.split('_') : []
  return parts.some((_, at) => at > 0 && CODE.includes(`'${parts.slice(at).join('_')}'`))
}
