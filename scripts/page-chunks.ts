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
  /** What is fetched behind every such page as soon as it stands. */
  late: Set<string>
  /** Made of the component library, which a list is shown without. */
  heavy: Set<string>
  /** How many pages, and how many pages and dialogs, need a module as soon as they are opened. */
  pages: Map<string, number>
  all: Map<string, number>
}

const FIRST = 'app/web.tsx'
const LOGIN = 'app/login.tsx'
const OPEN = 'app/public.tsx'
const FRAME = 'app/signed-in.tsx'
const LATE = ['features/office/factors/StepUpDialog.tsx', 'features/overview/exports/ExportTasks.tsx']

const COMPONENTS = /\/node_modules\/(antd|@rc-component|@ant-design)\//

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
  const isMany = (counts: Map<string, number>, id: string, many: number) => (counts.get(id) ?? 0) >= many
  return [
    group('react', 7, id => /node_modules\/(react|react-dom|scheduler)\//.test(id)),
    group('base', 6, (id, { base }) => base.has(id)),
    group('core', 5, (id, { frame, open }) => frame.has(id) && open.has(id)),
    group('frame', 4, (id, { frame }) => frame.has(id)),
    group(
      'form',
      3,
      (id, { heavy, late, open, all }) =>
        !heavy.has(id) && (late.has(id) || (open.has(id) && isMany(all, id, MANY))),
    ),
    group('list', 2, (id, { heavy, pages }) => !heavy.has(id) && isMany(pages, id, MANY_PAGES)),
    group('dialog', 1, (id, { heavy, all }) => !heavy.has(id) && isMany(all, id, MANY)),
  ]
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
  const own = (...paths: string[]) => new Set(paths.flatMap(path => [...from(root + path)]))
  const fetchedBy = (ids: Iterable<string>) =>
    [...ids].flatMap(id => graph.getModuleInfo(id)?.dynamicallyImportedIds ?? [])

  const entries = new Set<string>(fetchedBy(own(FIRST)))
  for (const entry of entries) for (const next of fetchedBy(from(entry))) entries.add(next)
  const pages = new Map<string, number>()
  const all = new Map<string, number>()
  for (const entry of entries)
    for (const id of from(entry)) {
      all.set(id, (all.get(id) ?? 0) + 1)
      if (entry.endsWith('Page.tsx')) pages.set(id, (pages.get(id) ?? 0) + 1)
    }

  const base = new Set([...own(FIRST), ...[...own(LOGIN)].filter(id => (all.get(id) ?? 0) > 1)])
  // It waits for files that import the base: in one file with it, both would wait for each other.
  base.delete(root + FIRST)
  return {
    base,
    open: new Set([...own(OPEN), ...fetchedBy(own(OPEN)).flatMap(id => [...from(id)])]),
    frame: own(FRAME),
    late: own(...LATE),
    heavy: new Set([...all.keys()].filter(id => [...from(id)].some(reached => COMPONENTS.test(reached)))),
    pages,
    all,
  }
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
