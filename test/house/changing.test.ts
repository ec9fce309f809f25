// docs/CHANGING.md is followed in a copy: the files that it names are enough, and the copy compiles.
import assert from 'node:assert/strict'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import test, { after } from 'node:test'
import { keepOutput } from '#scripts/checks.ts'
import { ROOT } from './sources.ts'

const COPIED = [
  'app',
  'bench',
  'bridge',
  'compat',
  'docs',
  'features',
  'kit',
  'providers',
  'scripts',
  'server',
  'test',
  'web',
]
const SETTINGS = ['package.json', 'tsconfig.json', 'tsconfig.web.json']

const copy = mkdtempSync(join(tmpdir(), 'partner-office-changing-'))
after(() => rmSync(copy, { recursive: true, force: true }))
for (const path of [...COPIED, ...SETTINGS]) cpSync(join(ROOT, path), join(copy, path), { recursive: true })
symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))

/** The files of a recipe of docs/CHANGING.md. */
function recipe(title: string, names: Readonly<Record<string, string>> = {}): string[] {
  const text = readFileSync(join(ROOT, 'docs/CHANGING.md'), 'utf8')
  const section = text.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
  const steps = [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(match => match[1] as string)
  return steps.map(step => Object.entries(names).reduce((path, [from, to]) => path.replace(from, to), step))
}

/** A place in a file, and what stands there afterwards; a whole file where the place is null. */
type Edit = [path: string, place: string | RegExp | null, text: string]

/** The files that were changed, each once. */
function follow(edits: readonly Edit[]): string[] {
  for (const [path, place, text] of edits) {
    const file = join(copy, path)
    if (place === null) {
      writeFileSync(file, text, { flag: 'wx' })
      continue
    }
    const before = readFileSync(file, 'utf8')
    const changed = before.replace(place, text)
    assert.notEqual(changed, before, `${path} has no ${place} any more`)
    writeFileSync(file, changed)
  }
  return [...new Set(edits.map(([path]) => path))]
}

const MERCHANTS = 'features/shops/merchants'
const CONTACT_EMAIL: Edit[] = [
  [
    `${MERCHANTS}/tables.ts`,
    / {4}shopPhone: .*\n/,
    "$&    contactEmail: text('contact_email').notNull().default(''),\n",
  ],
  [
    `${MERCHANTS}/fields.ts`,
    / {2}provinceCode: \{/,
    `  contactEmail: {
    kind: 'text',
    label: '联系邮箱',
    max: 50,
    none: '',
    in: ['row', 'add', 'edit', 'log'],
    control: { as: 'text', group: 'contact', inputMode: 'email', placeholder: '选填' },
  },
$&`,
  ],
  [`${MERCHANTS}/fields.ts`, "'shopPhone', 'industryName'", "'shopPhone', 'contactEmail', 'industryName'"],
  [`${MERCHANTS}/fields.ts`, / {2}remark: \{ width: .*\n/, '$&  contactEmail: { width: 168 },\n'],
  [
    `${MERCHANTS}/fields.ts`,
    / {2}versionId: \{ kind: 'id', label: '软件版本', chip: .*\n/,
    "$&  contactEmail: { kind: 'text', label: '联系邮箱' },\n",
  ],
  [
    `${MERCHANTS}/rules.ts`,
    / {2}REMARK_TOO_LONG: .*\n/,
    "$&  CONTACT_EMAIL_FORMAT: '请输入正确的联系邮箱',\n",
  ],
  [`${MERCHANTS}/rules.ts`, / {2}remark: string\n/, '$&  contactEmail: string\n'],
  [
    `${MERCHANTS}/rules.ts`,
    / {2}if \(lengthOf\(details\.remark\).*\n/,
    `$&  if (details.contactEmail !== '' && !/^\\S+@\\S+\\.\\S+$$/.test(details.contactEmail))
    return { field: 'contactEmail', code: 'CONTACT_EMAIL_FORMAT' }
`,
  ],
  [`${MERCHANTS}/rules.test.ts`, / {2}remark: '',\n/, "$&  contactEmail: '',\n"],
  ['docs/GLOSSARY.md', /\| 店铺电话 \|.*\n/, '$&| 联系邮箱 | `contactEmail` | — |\n'],
]

const HARDWARE = 'features/sales/hardware'
const BRAND: Edit[] = [
  [`${HARDWARE}/tables.ts`, / {4}model: .*\n/, "$&    brand: text('brand').notNull().default(''),\n"],
  [
    `${HARDWARE}/fields.ts`,
    / {2}unitCents: \{\n/,
    `  brand: {
    kind: 'text',
    label: '品牌',
    max: LIMITS.brand,
    in: ['row', 'add', 'edit', 'log'],
    control: { as: 'text', half: true },
  },
$&`,
  ],
  [`${HARDWARE}/fields.ts`, "below: ['model'] }", "below: ['model', 'brand'] }"],
  [`${HARDWARE}/rules.ts`, / {2}model: 30,\n/, '$&  brand: 20,\n'],
  ['docs/GLOSSARY.md', /\| 硬件商品 \|.*\n/, '$&| 品牌 | `brand` | — |\n'],
]

const CALLS = 'features/support/consultations'
const CALL_LIST: Edit[] = [
  [
    `${CALLS}/fields.ts`,
    /$/,
    `
export const CALLS = list({
  key: 'consultations.calls',
  title: '回访记录',
  fields: CONSULTATION_FIELDS,
  columns: {
    name: { width: 120, card: 'title' },
    mobile: { width: 120, card: 'fact' },
    contacted: { width: 80 },
    createdAt: { width: 160 },
    contactedAt: { width: 160, card: 'fact' },
    contactedByName: { width: 80 },
  },
  filters: {
    contacted: { kind: 'flag', label: '状态', words: { false: '待联系', true: '已联系' } },
    called: { kind: 'days', label: '联系时间' },
  },
  file: {
    path: '/consultations/calls/export.xlsx',
    permission: 'consultations.callsExport',
    log: '导出回访记录',
    name: '回访记录',
  },
  empty: '还没有回访记录',
})
`,
  ],
  [
    `${CALLS}/contract.ts`,
    /$/,
    `
export const consultationDownloads = { calls: fileOf(CALLS) }
`,
  ],
  [`${CALLS}/contract.ts`, 'import { listInput,', 'import { fileOf, listInput,'],
  [`${CALLS}/contract.ts`, 'import { CONSULTATION_FIELDS,', 'import { CALLS, CONSULTATION_FIELDS,'],
  [
    `${CALLS}/contract.ts`,
    / {2}count: op\(\n/,
    `  calls: op(
    { permission: 'consultations.calls' },
    { method: 'GET', path: '/consultations/calls', summary: 'Who was called, the latest question first' },
  )
    .input(z.object(listInput(CALLS)))
    .output(pageOf(ConsultationRow)),
$&`,
  ],
  [
    `${CALLS}/server.ts`,
    'export const consultationsRouter',
    `const LATEST = [desc(rows.createdAt), desc(rows.id)]
const CALL = { ...ownColumns(rows, Object.keys(CONSULTATION_FIELDS)), id: rows.id }

function callsOf(ctx: Ctx, filters: Omit<In<typeof contract.calls>, 'page' | 'size'>): Condition[] {
  return [{ key: 'staff', sql: staffOnly(ctx) }, ...filtered(CALLS, filters, { called: rows.contactedAt }, rows)]
}

export const listCalls: Verb<typeof contract.calls> = (ctx, input) => {
  const source = { name: 'calls', table: rows, sort: 'createdAt desc', order: LATEST }
  return rowsAndTotal(ctx, { ...source, conditions: callsOf(ctx, input) }, input, page =>
    ctx.db
      .with(page)
      .select()
      .from(rows)
      .where(sql\`\${rows.id} in (select id from \${page})\`)
      .orderBy(...LATEST),
  )
}

export const callsDownload = serveDownload(consultationDownloads.calls, (ctx, { columns, ...filters }) => {
  const conditions = callsOf(ctx, filters)
  const statement = ctx.db.select(CALL).from(rows).where(conditionOf({ conditions })).orderBy(...LATEST)
  return { statement, values: valuesOf(conditions), ...fileColumns(CALLS, CALL, columns) }
})

$&`,
  ],
  [
    `${CALLS}/server.ts`,
    /import \{ consultations as contract \} from .*\n/,
    [
      "import { consultations as contract, consultationDownloads } from './contract.ts'",
      "import { CALLS, CONSULTATION_FIELDS } from './fields.ts'\n",
    ].join('\n'),
  ],
  [
    `${CALLS}/server.ts`,
    /import \{ found, refuse \} from .*\n/,
    [
      "import { fileColumns, serveDownload } from '#server/documents/export.ts'",
      "import { type Condition, conditionOf, filtered, ownColumns, rowsAndTotal, valuesOf } from '#server/list.ts'\n$&",
    ].join('\n'),
  ],
  [`${CALLS}/server.ts`, 'import type { Out } from', 'import type { In, Out } from'],
  [`${CALLS}/server.ts`, / {2}count: countWaiting,\n/, '  calls: listCalls,\n$&'],
  [
    `${CALLS}/feature.ts`,
    'import { consultationsRouter as router }',
    'import { callsDownload, consultationsRouter as router }',
  ],
  [
    `${CALLS}/feature.ts`,
    / {2}permissions: permissionNodes\(\[\n/,
    `  downloads: { calls: callsDownload },
$&    [990, 6, 990, 'consultations.calls', '回访记录', '/admin/operations/calls', '888'],
    [991, 990, 991, 'consultations.callsExport', '导出回访记录', '/admin/operations/calls#export', '888'],
`,
  ],
  [
    `${CALLS}/CallsPage.tsx`,
    null,
    [
      "import { api } from '#web/client/api.ts'",
      "import { List } from '#web/list/List.tsx'",
      "import type { consultations } from './contract.ts'",
      "import { CALLS } from './fields.ts'\n",
      "const consultationsApi = api<typeof consultations>('consultations')\n",
      '/** Who was called. */',
      'export default function CallsPage() {',
      '  return <List of={CALLS} from={consultationsApi.calls} />',
      '}\n',
    ].join('\n'),
  ],
  [
    `${CALLS}/pages.ts`,
    /export const PAGES = \[\n/,
    `$&  {
    path: '/admin/operations/calls',
    title: '回访记录',
    permission: 'consultations.calls',
    file: '${CALLS}/CallsPage.tsx',
    group: '伙伴管理',
    list: '/api/consultations/calls',
    search: asks<ListParams<typeof CALLS>>(),
  },
`,
  ],
  [`${CALLS}/pages.ts`, 'import type { CONSULTATIONS }', 'import type { CALLS, CONSULTATIONS }'],
]

const isTest = (path: string) => path.endsWith('.test.ts')
/** As if no test ran around it. */
const { NODE_TEST_CONTEXT: _, ...ENV } = process.env
const run = (...args: string[]) => keepOutput(process.execPath, args, ENV, copy)
const types = (settings: string) =>
  run(join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', join(copy, settings), '--checkers', '1')

const CHANGED = [MERCHANTS, HARDWARE, CALLS]

/** What is checked of the server: the three features, since all of them together take as long as the rest of this test. */
const NARROW = {
  extends: './tsconfig.json',
  include: CHANGED,
  exclude: ['**/*.tsx', '**/walk.ts', '**/server*.test.ts'],
}

const names = new RegExp(`#(${CHANGED.join('|')})/`)
/** And of the page: theirs, and whatever else names one of their files. */
function pagesThatKnow(): string[] {
  const pages = globSync('{features,web,test/components}/**/*.tsx', { cwd: copy })
  return pages.filter(
    path =>
      CHANGED.some(folder => path.startsWith(`${folder}/`)) ||
      names.test(readFileSync(join(copy, path), 'utf8')),
  )
}

test('a field of a shop costs the files that its recipe names, at most 6 in 3 folders', () => {
  const files = follow(CONTACT_EMAIL)
  assert.deepEqual(files.filter(path => !isTest(path)).toSorted(), recipe('A field of a shop').toSorted())
  assert.ok(files.length <= 6, files.join('\n'))
  assert.ok(new Set(files.map(dirname)).size <= 3)
})

test('a field that a form asks for costs the files that its recipe names, at most 5 with the migration', () => {
  const files = follow(BRAND)
  assert.deepEqual(
    files.toSorted(),
    recipe('A field that a form asks for', { 'features/<district>/<x>': HARDWARE }).toSorted(),
  )
})

test('a list with two filters, its page and its file cost the files that the recipe names, at most 6', () => {
  const files = follow(CALL_LIST)
  assert.deepEqual(
    files.toSorted(),
    recipe('A list page', { 'features/<district>/<x>': CALLS, '…Page': 'CallsPage' }).toSorted(),
  )
  assert.ok(files.length <= 6, files.join('\n'))
})

test('with all three the copy compiles, and its fields, lists, forms and names are whole', async () => {
  writeFileSync(join(copy, 'tsconfig.narrow.json'), JSON.stringify(NARROW))
  const pages = pagesThatKnow()
  assert.ok(pages.length > 30)
  writeFileSync(
    join(copy, 'tsconfig.narrow.web.json'),
    JSON.stringify({ extends: './tsconfig.web.json', include: ['web/env.d.ts', ...pages] }),
  )
  const outcomes = await Promise.all([
    types('tsconfig.narrow.json'),
    types('tsconfig.narrow.web.json'),
    run(join(copy, 'test/house/fields.test.ts')),
    run(join(copy, 'test/house/glossary.test.ts')),
  ])
  for (const { ok, output } of outcomes) assert.ok(ok, output)
})
