// Who may import whom (the table of docs/ARCHITECTURE.md), what files are named, and how long they are. Names the remedy.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { dirname } from 'node:path'
import test from 'node:test'
import { featureAt, featureIn } from '#kit/feature-name.ts'
import {
  brokenImports,
  DISTRICTS,
  FOLDERS,
  featureOf,
  fileOf,
  forbid,
  type Import,
  isOurs,
  isTest,
  PRODUCT,
  ROOT,
  room,
  SOURCES,
} from './sources.ts'

/** In their order. */
const FEATURES = DISTRICTS.flatMap(({ features }) => features.map(({ name }) => name))

const inRoom = (...names: string[]) => PRODUCT.filter(({ path }) => names.includes(room(path)))
const named = (pattern: RegExp) =>
  PRODUCT.filter(({ path }) => featureOf(path) !== null && pattern.test(fileOf(path)))

const RULES = /^(rules)\.ts$/
const DATA = /^(reference|divisions)\.ts$/
const PAGES = /^pages\.ts$/
/** What each field and list is, said once. */
const FIELDS = /^fields(-[a-z-]+)?\.ts$/
const CONTRACT = /^contract(-[a-z-]+)?\.ts$/
const TABLES = /^tables\.ts$/
const SERVER = /^(server(-[a-z-]+)?|verify)\.ts$/
const PAGE = /\.tsx$/
const JOINED = /^(feature|jobs)\.ts$/
/** Made-up rows of the demo and of measurements. */
const DEMO = /^(demo|sample)\.ts$/
/** One maker of a row for each table of which rows are made beside its operations. */
const ROWS = /^rows\.ts$/
const KNOWN_FILES = [RULES, FIELDS, DATA, PAGES, CONTRACT, TABLES, SERVER, JOINED, DEMO, ROWS, PAGE]

test('the walk sees the project', () => {
  assert.ok(PRODUCT.length > 80)
  assert.ok(SOURCES.flatMap(({ imports }) => imports).length > 400)
  for (const { path, imports } of SOURCES)
    for (const { target, specifier } of imports)
      if (isOurs(target) && !target.endsWith('.json') && !target.endsWith('.css'))
        assert.ok(
          SOURCES.some(source => source.path === target),
          `${path} imports ${specifier}, which is not there`,
        )
})

test('kit is pure: zod and other kit alone', () => {
  const wrong = (path: string, { target }: Import) =>
    room(target) !== 'kit' &&
    target !== 'zod' &&
    !(path === 'kit/declare/op.ts' && target.startsWith('@orpc/')) &&
    !(path === 'kit/print/codes.ts' && target.startsWith('bwip-js'))
  forbid(
    brokenImports(inRoom('kit'), wrong),
    'What needs more than zod belongs to server/, web/ or a feature.',
  )
})

test('what the product asks of the outside is known to nothing else of kit but what is printed', () => {
  const wrong = (path: string, { target }: Import) =>
    target.startsWith('kit/ports/') && !/^kit\/(ports|print)\//.test(path)
  forbid(brokenImports(inRoom('kit'), wrong), 'kit/ports has business nouns; the rest of kit has none.')
})

test('server knows no feature and no page', () => {
  const wrong = (_: string, { target }: Import) => isOurs(target) && !['kit', 'server'].includes(room(target))
  forbid(
    brokenImports(inRoom('server'), wrong),
    'Pass what the server needs as an argument; app/server.ts joins the two.',
  )
})

test('web knows no feature and nothing of the server', () => {
  const wrong = (_: string, { target }: Import) =>
    target.startsWith('node:') || (isOurs(target) && !['kit', 'web'].includes(room(target)))
  forbid(
    brokenImports(inRoom('web'), wrong),
    'Pass what the component needs as a property; app/ joins features and shell.',
  )
})

test('nothing imports app but scripts, benches and tests', () => {
  const wrong = (path: string, { target }: Import) =>
    room(target) === 'app' && !['app', 'scripts', 'bench'].includes(room(path))
  forbid(brokenImports(PRODUCT, wrong), 'Move what is shared down into kit/, server/, web/ or a feature.')
})

test('nothing of the product imports tests, scripts or benches', () => {
  const wrong = (path: string, { target }: Import) =>
    (['test', 'scripts', 'bench'].includes(room(target)) || isTest(target)) &&
    isOurs(target) &&
    !['scripts', 'bench'].includes(room(path))
  forbid(brokenImports(PRODUCT, wrong), 'Move what the product needs out of the script.')
  const tests = (_: string, { target }: Import) => room(target) === 'test' && isOurs(target)
  forbid(
    brokenImports(inRoom('scripts'), tests).filter(line => !/^scripts\/(test|check)\.ts/.test(line)),
    'As above.',
  )
})

test('providers reach kit and their own folder, and features reach them through ctx alone', () => {
  const wrong = (path: string, { target }: Import) =>
    isOurs(target) &&
    room(target) !== 'kit' &&
    ![dirname(path), 'providers'].includes(dirname(target)) &&
    // Start and list them all.
    !(path === 'providers/simulators.ts' && fileOf(target) === 'simulator.ts') &&
    !(path === 'providers/rooms.ts' && fileOf(target) === 'room.ts')
  forbid(
    brokenImports(inRoom('providers'), wrong),
    'A provider speaks its protocol and knows nothing else but providers/*.ts.',
  )
  const outside = (_: string, { target }: Import) => room(target) === 'providers'
  forbid(brokenImports(inRoom('features', 'server', 'web', 'kit'), outside), 'Use ctx.providers.')
})

test('the print program of a desk knows kit and its own files, and nothing but tests knows it', () => {
  const wrong = (_: string, { target }: Import) =>
    isOurs(target) ? !['kit', 'bridge'].includes(room(target)) : !/^(node:|ws$|zod$)/.test(target)
  forbid(
    brokenImports(inRoom('bridge'), wrong),
    'It is one small file at a desk: kit, node, ws and zod alone.',
  )
  const knows = (path: string, { target }: Import) => room(target) === 'bridge' && room(path) !== 'bridge'
  forbid(brokenImports(PRODUCT, knows), 'What page and program share belongs to kit/print.')
})

test('the second door knows kit and its own table, decides nothing, and is loaded by app alone', () => {
  const wrong = (_: string, { target }: Import) =>
    isOurs(target) ? !['kit', 'compat'].includes(room(target)) : !/^(node:(crypto|fs)|fastify$)/.test(target)
  forbid(
    brokenImports(inRoom('compat'), wrong),
    'It puts calls into operations by their names. What an operation does or refuses belongs to its feature.',
  )
  const rules = inRoom('compat').filter(({ text }) =>
    /\b(refuse\(|drizzle|\bselect\b .* from\b|sql`)/i.test(text),
  )
  forbid(
    rules.map(({ path }) => path),
    'No statement and no rule stands here.',
  )
  const knows = (path: string, { target, isType }: Import) =>
    room(target) === 'compat' &&
    !['compat', 'scripts'].includes(room(path)) &&
    !(room(path) === 'app' && isType)
  const early = brokenImports(PRODUCT, (path, imported) => knows(path, imported) && !imported.isDynamic)
  forbid(early, 'app/server.ts loads it where the setting says so (await import).')
})

test('every file of a feature is of a known kind', () => {
  const unknown = PRODUCT.filter(
    ({ path }) => featureOf(path) !== null && !KNOWN_FILES.some(kind => kind.test(fileOf(path))),
  )
  forbid(
    unknown.map(({ path }) => path),
    'A feature has feature, pages, rules, fields, contract, tables, rows, reference, jobs, demo, sample, walk, server*.ts and .tsx; new kinds are named in this test.',
  )
})

const mayImport = (allowed: (target: string, imported: Import) => boolean) => (_: string, imported: Import) =>
  !allowed(imported.target, imported)
const inFeature = (target: string, kind: RegExp) => featureOf(target) !== null && kind.test(fileOf(target))
const isKit = (target: string) => room(target) === 'kit'

test('rules.ts and pure data import kit and other rules: no zod, no clock, no I/O', () => {
  const allowed = mayImport((target, { isType }) => {
    if (isKit(target) && target !== 'kit/declare/op.ts') return true
    return inFeature(target, RULES) || (isType && inFeature(target, TABLES)) || target.endsWith('.json')
  })
  forbid(brokenImports([...named(RULES), ...named(DATA)], allowed), 'Pass time and rows in as arguments.')
  const clocks = named(RULES).filter(({ text }) =>
    /\bnew Date\(\)|\bDate\.now\(|\bfetch\(|\bprocess\./.test(text),
  )
  forbid(
    clocks.map(({ path }) => `${path} reads a clock or the outside`),
    'Pass the instant in as an argument.',
  )
})

test('pages.ts imports kit, rules and types of fields: the code that starts every page holds all of them', () => {
  const allowed = mayImport(
    (target, { isType }) =>
      isKit(target) || inFeature(target, RULES) || (isType && inFeature(target, FIELDS)),
  )
  forbid(brokenImports(named(PAGES), allowed), 'An address is declared by a type: `import type`.')
})

test('rows.ts makes rows of what it is given, and only what stands beside the operations asks it to', () => {
  const allowed = mayImport(
    (target, { isType }) =>
      isKit(target) || inFeature(target, RULES) || (isType && inFeature(target, TABLES)),
  )
  forbid(brokenImports(named(ROWS), allowed), 'Pass what it needs as an argument.')
  const clocks = named(ROWS).filter(({ text }) => /\bnew Date\(\)|\bDate\.now\(|random/.test(text))
  forbid(
    clocks.map(({ path }) => `${path} reads a clock or chance`),
    'Pass the instant in as an argument.',
  )
  const wrong = (path: string, { target }: Import) =>
    ROWS.test(fileOf(target)) && !DEMO.test(fileOf(path)) && !['scripts', 'bench'].includes(room(path))
  forbid(brokenImports(PRODUCT, wrong), 'An operation writes what it was asked for, without defaults.')
})

test('fields.ts imports kit, rules and other fields: no zod, no clock, no I/O', () => {
  const allowed = mayImport(
    target =>
      (isKit(target) && !['kit/declare/op.ts', 'kit/declare/list-input.ts'].includes(target)) ||
      inFeature(target, RULES) ||
      inFeature(target, FIELDS),
  )
  forbid(
    brokenImports(named(FIELDS), allowed),
    'A declaration is data; what it does belongs to web/ or server/.',
  )
})

test('contract.ts imports kit, rules and other contracts', () => {
  const allowed = mayImport(
    target =>
      isKit(target) || target === 'zod' || [RULES, FIELDS, CONTRACT].some(kind => inFeature(target, kind)),
  )
  forbid(brokenImports(named(CONTRACT), allowed), 'Vocabulary belongs to rules.ts.')
})

test('tables.ts imports Drizzle, rules, other tables and the shared columns', () => {
  const columns = ['server/columns.ts', 'server/tables.ts']
  const allowed = mayImport(
    (target, { isType }) =>
      target.startsWith('drizzle-orm') ||
      (isType && isKit(target)) ||
      columns.includes(target) ||
      inFeature(target, RULES) ||
      inFeature(target, TABLES),
  )
  forbid(brokenImports(named(TABLES), allowed), 'Types of a column belong to rules.ts.')
})

test('server*.ts never imports a page', () => {
  const wrong = (_: string, { target }: Import) => PAGE.test(target) || room(target) === 'web'
  forbid(brokenImports(named(SERVER), wrong), '.tsx is the browser; share through rules.ts.')
})

test('a feature stands in the folder and in the list of its district; a desk stands inside what it shows, in a list after it', () => {
  const listed = DISTRICTS.flatMap(({ features }) => features.map(({ folder }) => folder))
  assert.deepEqual(listed, [...new Set(listed)], 'each feature is in one list')
  assert.deepEqual(listed.toSorted(), [...FOLDERS].toSorted(), 'each feature is in the list of a district')
  const wrong = DISTRICTS.flatMap(({ name: district, features }, at) =>
    features.flatMap(({ name, folder }) => {
      if (featureIn(folder) !== name)
        return [`${folder} is called ${name} in features/${district}/district.ts`]
      const [, home = '', feature = '', desk, ...deeper] = folder.split('/')
      const isDesk = desk === 'desk' && deeper.length === 0
      if (!isDesk)
        return desk === undefined && home === district ? [] : [`${folder} is in the list of ${district}`]
      const engine = listed.indexOf(`features/${home}/${feature}`)
      const isAfter = engine >= 0 && engine < listed.indexOf(folder)
      return isAfter && DISTRICTS.findIndex(one => one.name === home) <= at
        ? []
        : [`${folder} is not after features/${home}/${feature}`]
    }),
  )
  forbid(
    wrong,
    'A desk may need later features than what it shows; everything else is where its district is.',
  )
})

test('a district has its three lists and its README beside its features, which know none of them', () => {
  const files = globSync('features/*/*.*', { cwd: ROOT }).map(path => path.replaceAll('\\', '/'))
  const lists = ['district.ts', 'pages.ts', 'slots-filled.tsx', 'README.md']
  forbid(
    files.filter(path => !lists.includes(fileOf(path))),
    'A file belongs to a feature.',
  )
  for (const { name } of DISTRICTS)
    for (const file of ['district.ts', 'README.md'])
      assert.ok(files.includes(`features/${name}/${file}`), `${name} ${file}`)
  const own = ['feature.ts', 'pages.ts', 'slots-filled.tsx']
  const takes = (path: string, { target, isType }: Import) =>
    isOurs(target) &&
    !isType &&
    !(FOLDERS.has(dirname(target)) && own.includes(fileOf(target))) &&
    files.includes(path)
  forbid(brokenImports(PRODUCT, takes), 'A district lists what its features declare.')
  const knows = (path: string, { target }: Import) => files.includes(target) && room(path) !== 'app'
  forbid(brokenImports(PRODUCT, knows), 'app/ joins the districts.')
})

test('a feature imports only features that stand before it, and so does a district: values, types, tables and pages alike', () => {
  for (const folder of FOLDERS)
    assert.ok(FEATURES.includes(featureIn(folder)), `put ${folder} into the district.ts of its district`)
  const placeOf = new Map(
    [...FOLDERS].map(folder => [featureAt(folder), FEATURES.indexOf(featureIn(folder))]),
  )
  const wrong = (path: string, { target }: Import) => {
    const [from, to] = [featureOf(path), featureOf(target)]
    return from !== null && to !== null && (placeOf.get(to) ?? 0) > (placeOf.get(from) ?? 0)
  }
  forbid(
    brokenImports(PRODUCT, wrong),
    'Turn the call around, move what both need into the earlier feature, or leave a slot on its page (slots.tsx).',
  )
})

test('no two files need each other, types and what is loaded later included', () => {
  const graph = new Map(
    SOURCES.map(({ path, imports }) => [path, imports.map(({ target }) => target).filter(isOurs)]),
  )
  const done = new Set<string>()
  const visit = (path: string, trail: string[]): string[] => {
    if (trail.includes(path)) return [[...trail.slice(trail.indexOf(path)), path].join(' -> ')]
    if (done.has(path)) return []
    const circles = (graph.get(path) ?? []).flatMap(target => visit(target, [...trail, path]))
    done.add(path)
    return circles
  }
  forbid(
    [...graph.keys()].flatMap(path => visit(path, [])),
    'The type of a row comes from contract.ts (`Out<typeof operation>`); what both need otherwise goes into a file below both.',
  )
})

test('a page imports kit, rules, contracts, web and other pages, never the server', () => {
  const allowed = mayImport((target, { isDynamic }) => {
    if (!isOurs(target)) return !target.startsWith('node:') && !/^(pg|fastify|drizzle-orm)/.test(target)
    if (isKit(target) || room(target) === 'web' || target.endsWith('.css')) return true
    if ([RULES, FIELDS, CONTRACT].some(kind => inFeature(target, kind)) || PAGE.test(target)) return true
    return isDynamic && inFeature(target, DATA)
  })
  forbid(brokenImports(named(PAGE), allowed), 'What both sides need belongs to rules.ts.')
})

test('contract.ts reaches the page as a type alone, so that zod stays out of its code', () => {
  const wrong = (path: string, { target, isType }: Import) =>
    (PAGE.test(path) || room(path) === 'web') && CONTRACT.test(fileOf(target)) && !isType
  forbid(
    brokenImports(PRODUCT, wrong),
    'Write import type, and name operations as text for <Permit> and api().',
  )
})

test('.tsx is never imported from .ts that Node loads', () => {
  const wrong = (path: string, { target, isDynamic }: Import) =>
    PAGE.test(target) && !PAGE.test(path) && !isDynamic && room(path) !== 'web'
  forbid(brokenImports(SOURCES, wrong), 'Node cannot load .tsx; turn the import around.')
})

test('oRPC is known in few files', () => {
  const knows = ['kit/declare/op.ts', 'server/serve.ts', 'server/http.ts', 'web/client/api.ts']
  const wrong = (path: string, { target }: Import) =>
    target.startsWith('@orpc/') && !knows.includes(path) && !['app', 'bench'].includes(room(path))
  forbid(brokenImports(PRODUCT, wrong), `Only ${knows.join(', ')}, app/, bench/ and tests may know oRPC.`)
})

test('settings are read in one place', () => {
  const readers = PRODUCT.filter(
    ({ path, text }) =>
      /\bprocess\.env\b(?!\.PATH\b)/.test(text) &&
      path !== 'server/env.ts' &&
      !['scripts', 'bench'].includes(room(path)),
  )
  forbid(
    readers.map(({ path }) => path),
    'Add the setting to server/env.ts and read it from ctx.services.env.',
  )
})

test('no barrel, no drawer, no enum, and names in one style', () => {
  const drawers = SOURCES.filter(({ path }) =>
    /(^|\/)(index|utils?|helpers?|common|misc)(\.tsx?$|\/)/.test(path),
  )
  forbid(
    drawers.map(({ path }) => path),
    'Name the file after what it holds.',
  )
  const names = SOURCES.filter(({ path }) => {
    const name = fileOf(path).replace(/((\.all)?\.(test|e2e)|\.d)?\.(tsx?|mjs)$/, '')
    return !(path.endsWith('.tsx') ? /^[A-Za-z][A-Za-z0-9-]*$/ : /^([a-z0-9-]+|use[A-Z][A-Za-z]*)$/).test(
      name,
    )
  })
  forbid(
    names.map(({ path }) => path),
    '.ts is kebab-case, a hook is useSomething; components are PascalCase.',
  )
  const enums = SOURCES.filter(({ text }) => /^\s*(export\s+)?(const\s+)?enum\s/m.test(text))
  forbid(
    enums.map(({ path }) => path),
    'Use a literal table.',
  )
})

test('of the migrations only the newest snapshot is kept', () => {
  const snapshots = globSync('migrations/meta/*_snapshot.json', { cwd: ROOT })
  assert.equal(snapshots.length, 1, 'npm run migration deletes the older ones: make the migration with it')
})

test('rules.ts says in its head what it owns and what it must never do', () => {
  const silent = named(RULES).filter(({ text }) => {
    const head = text
      .split('\n')
      .slice(0, 4)
      .filter(line => line.startsWith('//'))
    return !/^\/\/ Owns /.test(text) || head.length < 1
  })
  forbid(
    silent.map(({ path }) => path),
    'Begin with "// Owns …" and "Must never …", and the section of the documents.',
  )
})

test('Ant Design draws what is hard, and all other controls are of web/form', () => {
  const allowed = /^(Cascader|ConfigProvider|DatePicker|Select as AntSelect)$/
  const isHome = (path: string) => path.startsWith('web/form/') || path === 'web/theme/AntTheme.tsx'
  const broken = PRODUCT.flatMap(({ path, text }) =>
    [...text.matchAll(/import (?:type )?\{([^}]*)\} from 'antd'/g)]
      .flatMap(([, names = '']) => names.split(',').map(name => name.trim()))
      .filter(name => !isHome(path) || !(allowed.test(name) || path === 'web/theme/AntTheme.tsx'))
      .map(name => `${path} imports ${name} of Ant Design`),
  )
  forbid(broken, 'Use the form, dialog and controls of web/form (docs/decisions/0020).')
  const dialogs = PRODUCT.filter(
    ({ path, text }) => /^\s*<dialog\b/m.test(text) && !path.startsWith('web/form/'),
  )
  forbid(
    dialogs.map(({ path }) => `${path} draws a <dialog>`),
    'Use Dialog or Drawer of web/form: what opens over a dialog becomes a step of it.',
  )
  const forms = PRODUCT.filter(
    ({ path, text }) => /<form\b/.test(text) && path.endsWith('.tsx') && path !== 'web/form/FormElement.tsx',
  )
  forbid(
    forms.map(({ path }) => `${path} draws a <form>`),
    'Use FormElement of web/form: an Enter in a control of its own sends nothing there.',
  )
})
