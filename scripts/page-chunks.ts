// Which of the page's modules are fetched as one file. Told by who needs them, so that a new module finds its place by its imports.
import { dirname, join } from 'node:path/posix'
import type { Plugin } from 'vite'

/** What the bundler tells of a module. */
type Module = { code: string | null; importedIds: string[]; dynamicallyImportedIds: string[] }
type Graph = {
  getModuleInfo(id: string): Module | null
}

/** All ids are whole paths. */
type Reach = {
  /** What the login page needs and others too. */
  base: Set<string>
  /** What pages without an account need. */
  open: Set<string>
  /** What is needed before any page behind the login is drawn. */
  frame: Set<string>
  /** What every list is made of. */
  list: Set<string>
  /** What is fetched behind every such page as soon as it stands, and is a file of its own but for what others need too. */
  late: Set<string>
  /** Made of the component library or of schemas, which a list is shown without. */
  heavy: Set<string>
  /** What that needs. */
  library: Set<string>
  /** Needed by something else than the component library, too. */
  own: Set<string>
  /** How many pages, and how many pages and dialogs, need a module as soon as they are opened. */
  pages: Map<string, number>
  all: Map<string, number>
}

const FIRST = 'app/web.tsx'
const LOGIN = 'app/login.tsx'
const OPEN = 'app/public.tsx'
const FRAME = 'app/signed-in.tsx'
const LIST = ['web/list/List.tsx', 'web/controls/EditableCell.tsx']
const LATE = 'app/late.tsx'

const REACT = /\/node_modules\/(react|react-dom|scheduler)\//
/** They need nothing else, so that they can be fetched with whatever is fetched anyway: a file less. */
const STYLES = /\.module\.css$/
const COMPONENTS = /\/node_modules\/(antd|@rc-component|@ant-design|zod)\//

/** What draws codes brings libraries along that nothing else has. */
const PRINTS = /\/print\//

/** So many pages need what is fetched with the frame; so many pages and dialogs what is fetched with dialogs. */
const MOST_PAGES = 90
const DISTRICT_PAGES = 8
const STYLED_PAGES = 6
const MANY = 20

/** Most pages need both of them: one file less for these. Their chunk is called by the second. */
const TOGETHER: Readonly<Record<string, string>> = { office: 'shops' }

/** What belongs to a feature is fetched with it, and to no page that has nothing of it. */
const OF_FEATURES = /\/features\//

/** The groups of the bundler's code splitting, for the modules below this folder (which ends with a slash). */
export function pageChunks(root: string) {
  let reach: Reach | undefined
  const group = (name: string, priority: number, has: (id: string, reach: Reach) => boolean) => ({
    name(id: string, graph: Graph) {
      reach ??= readReach(root, graph)
      return has(id, reach) ? name : null
    },
    debugName: name,
    priority,
  })
  return [
    group(
      'base',
      8,
      (id, { base, frame, open }) => base.has(id) || (STYLES.test(id) && frame.has(id) && open.has(id)),
    ),
    group('core', 7, (id, { frame, open }) => REACT.test(id) || (frame.has(id) && open.has(id))),
    group(
      'frame',
      6,
      (id, { frame, heavy, pages }) => frame.has(id) || (!heavy.has(id) && isMany(pages, id, MOST_PAGES)),
    ),
    group(
      'list',
      5,
      (id, { list, heavy, pages }) =>
        list.has(id) ||
        (STYLES.test(id) && !heavy.has(id) && OF_FEATURES.test(id) && isMany(pages, id, STYLED_PAGES)),
    ),
    group(
      'form',
      4,
      (id, { heavy, late, open, all }) =>
        !heavy.has(id) &&
        ((late.has(id) && isMany(all, id, 2)) ||
          (open.has(id) && !OF_FEATURES.test(id) && isMany(all, id, MANY))),
    ),
    // Its dates and styles.
    group(
      'library',
      3,
      (id, { heavy, library, all }) =>
        !heavy.has(id) && library.has(id) && !OF_FEATURES.test(id) && isMany(all, id, MANY),
    ),
    group(
      'dialog',
      2,
      (id, { heavy, own, all }) =>
        !heavy.has(id) && own.has(id) && !OF_FEATURES.test(id) && isMany(all, id, MANY),
    ),
    {
      debugName: 'features',
      priority: 0,
      name(id: string, graph: Graph) {
        reach ??= readReach(root, graph)
        return sharedIn(root, id, reach)
      },
    },
  ]
}

const isMany = (counts: Map<string, number>, id: string, many: number) => (counts.get(id) ?? 0) >= many

/**
 * What several pages or dialogs need of a feature, or of a room of the page's own parts: one file for pages, one for what opens over them.
 * What many pages need of a district's features is one file.
 */
function sharedIn(root: string, id: string, { heavy, own, pages, all }: Reach): string | null {
  const room = /^(?:features\/\w[\w-]*|web|kit)\/(.+)\/[^/]+$/.exec(id.slice(root.length))?.[1]
  if (!room || !own.has(id) || heavy.has(id) || PRINTS.test(id) || !isMany(all, id, 2)) return null
  const district = /^features\/(\w+)\//.exec(id.slice(root.length))?.[1]
  if (district && isMany(pages, id, DISTRICT_PAGES)) return TOGETHER[district] ?? district
  const name = room.replaceAll('/', '-')
  return isMany(pages, id, 2) ? name : `${name}-dialogs`
}

function readReach(root: string, graph: Graph): Reach {
  const needs = needsIn(graph)
  const known = new Map<string, Set<string>>()
  const from = (id: string): Set<string> => {
    const had = known.get(id)
    if (had) return had
    const reached = new Set([id])
    // A set is walked over what is added to it meanwhile.
    for (const one of reached) for (const next of needs(one)) reached.add(next)
    known.set(id, reached)
    return reached
  }
  const reachOf = (...paths: string[]) => new Set(paths.flatMap(path => [...from(root + path)]))
  const fetchedBy = (ids: Iterable<string>) =>
    [...ids].flatMap(id => graph.getModuleInfo(id)?.dynamicallyImportedIds ?? [])

  const entries = new Set<string>(fetchedBy(reachOf(FIRST)))
  for (const entry of entries) for (const next of fetchedBy(from(entry))) entries.add(next)
  const pages = new Map<string, number>()
  const all = new Map<string, number>()
  for (const entry of entries)
    for (const id of from(entry)) {
      all.set(id, (all.get(id) ?? 0) + 1)
      if (entry.endsWith('Page.tsx')) pages.set(id, (pages.get(id) ?? 0) + 1)
    }

  const madeOf = (isMeant: (id: string) => boolean) =>
    new Set([...all.keys()].filter(id => [...from(id)].some(isMeant)))
  const heavy = madeOf(id => COMPONENTS.test(id))
  const base = new Set([...reachOf(FIRST), ...[...reachOf(LOGIN)].filter(id => (all.get(id) ?? 0) > 1)])
  // It waits for files that import the base: in one file with it, both would wait for each other.
  base.delete(root + FIRST)
  return {
    base,
    open: new Set([...reachOf(OPEN), ...fetchedBy(reachOf(OPEN)).flatMap(id => [...from(id)])]),
    frame: reachOf(FRAME),
    list: reachOf(...LIST),
    late: reachOf(LATE),
    heavy,
    library: new Set([...heavy].flatMap(id => [...from(id)])),
    own: ownOf(entries, needs),
    pages,
    all,
  }
}

/** What these need, the component library and what it alone needs left out. */
function ownOf(entries: Iterable<string>, needs: (id: string) => readonly string[]): Set<string> {
  const reached = new Set(entries)
  for (const id of reached) if (!COMPONENTS.test(id)) for (const next of needs(id)) reached.add(next)
  return reached
}

const IMPORTS = /\bimport \{([^}]*)\} from ["']([^"']+)["']/g
const LITERAL = /^export const (\w+) = (?:-?[\d_.]+|true|false|null|'[^'\n]*'|"[^"\n]*")(?: as const)?;?$/gm

/** Rules and declarations do nothing by being loaded. */
export const PURE = /\/(rules|fields|pages)\.ts$/

/** What a module imports. Of what is pure, numbers and words are written into it: who takes nothing else does not need it. */
function needsIn(graph: Graph): (id: string) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  const literals = new Map<string, Set<string>>()
  const literalsOf = (id: string) => {
    const had = literals.get(id)
    if (had) return had
    const code = graph.getModuleInfo(id)?.code ?? ''
    const found = new Set([...code.matchAll(LITERAL)].map(([, name = '']) => name))
    literals.set(id, found)
    return found
  }
  return id => {
    const had = known.get(id)
    if (had) return had
    const needed = neededBy(id, graph, literalsOf)
    known.set(id, needed)
    return needed
  }
}

function neededBy(id: string, graph: Graph, literalsOf: (id: string) => Set<string>): string[] {
  const { code, importedIds = [] } = graph.getModuleInfo(id) ?? {}
  // Only what imports of rules is read.
  if (!code || !importedIds.some(imported => PURE.test(imported))) return importedIds
  const taken = new Map<string, string[]>()
  for (const [, names = '', from = ''] of code.matchAll(IMPORTS)) {
    const path = from.startsWith('#') ? `/${from.slice(1)}` : join(dirname(id), from)
    const target = importedIds.find(imported => imported.endsWith(path))
    if (target)
      taken.set(target, [...(taken.get(target) ?? []), ...names.split(',').map(name => name.trim())])
  }
  return importedIds.filter(imported => {
    if (!PURE.test(imported)) return true
    const names = taken.get(imported)
    return !names?.every(name => name === '' || literalsOf(imported).has(name))
  })
}

/** Files that import each other may run before what they need is there: a page that stays empty, and nothing that says so. */
export function refuseCircles(): Plugin {
  return {
    name: 'refuse-circles',
    generateBundle(_options, bundle) {
      const done = new Set<string>()
      const visit = (file: string, path: string[]) => {
        if (path.includes(file))
          this.error(`Files of the page import each other: ${[...path, file].join(' > ')}`)
        if (done.has(file)) return
        const chunk = bundle[file]
        if (chunk?.type === 'chunk') for (const next of chunk.imports) visit(next, [...path, file])
        done.add(file)
      }
      for (const file of Object.keys(bundle)) visit(file, [])
    },
  }
}
