// Which of the page's modules are fetched as one file. Told by who needs them, so that a new module finds its place by its imports.
import type { Plugin } from 'vite'

/** What the bundler tells of a module. */
type Graph = {
  getModuleInfo(id: string): { importedIds: string[]; dynamicallyImportedIds: string[] } | null
}

/** All ids are whole paths. */
type Reach = {
  /** What the login page needs and others too. */
  base: Set<string>
  /** What pages without an account need. */
  open: Set<string>
  /** What is needed before any page behind the login is drawn. */
  frame: Set<string>
  /** What is fetched behind every such page as soon as it stands, and is a file of its own but for what others need too. */
  late: Set<string>
  /** Made of the component library, which a list is shown without. */
  heavy: Set<string>
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
const LATE = 'app/late.tsx'

const COMPONENTS = /\/node_modules\/(antd|@rc-component|@ant-design)\//

/** What draws codes brings libraries along that nothing else has. */
const PRINTS = /\/print\//

/** So many need what is fetched with lists, or with forms. Fewer, and each page fetches a dozen crumbs; more, and it fetches what it does not need. */
const MANY_PAGES = 11
const MANY = 20

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
    group('react', 8, id => /node_modules\/(react|react-dom|scheduler)\//.test(id)),
    group('base', 7, (id, { base }) => base.has(id)),
    group('core', 6, (id, { frame, open }) => frame.has(id) && open.has(id)),
    group('frame', 5, (id, { frame }) => frame.has(id)),
    group(
      'form',
      4,
      (id, { heavy, late, open, all }) =>
        !heavy.has(id) && ((late.has(id) && isMany(all, id, 2)) || (open.has(id) && isMany(all, id, MANY))),
    ),
    group(
      'list',
      3,
      (id, { heavy, own, pages }) => !heavy.has(id) && own.has(id) && isMany(pages, id, MANY_PAGES),
    ),
    group('dialog', 2, (id, { heavy, own, all }) => !heavy.has(id) && own.has(id) && isMany(all, id, MANY)),
    // Its dates and styles.
    group('library', 1, (id, { heavy, own, all }) => !heavy.has(id) && !own.has(id) && isMany(all, id, MANY)),
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

/** What several pages or dialogs need of a feature, or of a room of the page's own parts: one file for pages, one for what opens over them. */
function sharedIn(root: string, id: string, { heavy, own, pages, all }: Reach): string | null {
  const room = /^(?:features\/\w[\w-]*|web|kit)\/(.+)\/[^/]+$/.exec(id.slice(root.length))?.[1]
  if (!room || !own.has(id) || heavy.has(id) || PRINTS.test(id) || !isMany(all, id, 2)) return null
  const name = room.replaceAll('/', '-')
  return isMany(pages, id, 1) ? name : `${name}-dialogs`
}

function readReach(root: string, graph: Graph): Reach {
  const known = new Map<string, Set<string>>()
  const from = (id: string): Set<string> => {
    const had = known.get(id)
    if (had) return had
    const reached = new Set([id])
    // A set is walked over what is added to it meanwhile.
    for (const one of reached)
      for (const next of graph.getModuleInfo(one)?.importedIds ?? []) reached.add(next)
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
  const base = new Set([...reachOf(FIRST), ...[...reachOf(LOGIN)].filter(id => (all.get(id) ?? 0) > 1)])
  // It waits for files that import the base: in one file with it, both would wait for each other.
  base.delete(root + FIRST)
  return {
    base,
    open: new Set([...reachOf(OPEN), ...fetchedBy(reachOf(OPEN)).flatMap(id => [...from(id)])]),
    frame: reachOf(FRAME),
    late: reachOf(LATE),
    heavy: madeOf(id => COMPONENTS.test(id)),
    own: ownOf(entries, graph),
    pages,
    all,
  }
}

/** What these need, the component library and what it alone needs left out. */
function ownOf(entries: Iterable<string>, graph: Graph): Set<string> {
  const reached = new Set(entries)
  for (const id of reached)
    if (!COMPONENTS.test(id)) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(next)
  return reached
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
