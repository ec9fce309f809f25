// What a page is: its path, title, permission, source file and place. Plain data: the router and the server read it.

/** After the `#` of a list's address: it is printed once it stands there. */
export const PRINT_HASH = 'print'

declare const asked: unique symbol
/** What an address may ask; the compiler alone knows it. */
export type Asks<S extends object> = { readonly [asked]?: S }

/** At a page: the parameters that its address may have. Whatever leads to the page, and the page itself, is held to them. */
export function asks<S extends object>(): Asks<S> {
  return {}
}

/** app/route-pages.ts registers its `pages` here, and what `anyPage` may be asked: features are held to them and never import app/. */
// biome-ignore lint/suspicious/noEmptyInterface: declarations are merged into an interface alone.
export interface Registered {}

type Page = Registered extends { pages: readonly (infer P extends RoutePage)[] } ? P : RoutePage
type AnyPage = Registered extends { anyPage: infer S } ? S : Record<never, never>

type None = Record<never, never>
type Searches = { [P in Page as P['path']]: (P extends { search: Asks<infer S> } ? S : None) & AnyPage }

/** The path of a page, a `$name` in it as it is declared. */
export type Path = Page['path']

/** What the address of a page may ask. */
export type SearchOf<P extends Path> = Searches[P]

/** Where a link leads: a page, the `$name` in its path, and what it is asked, which may be left out where the page can do without. */
export type To<P extends Path> = { to: P; hash?: string | undefined } & (P extends `${string}$${infer Name}`
  ? { params: Record<Name, string> }
  : { params?: never }) &
  (None extends SearchOf<P> ? { search?: SearchOf<P> } : { search: SearchOf<P> })

/** A page and what it is asked, where that is kept as data. */
export type Target = { path: Path; search: SearchOf<Path> }

/** Holds the parameters to the page here; a link takes them as they are. */
export function target<const P extends Path>(path: P, search: SearchOf<P>): Target {
  return { path, search }
}

type Placed = { path: string }

/** The page of an address; what follows a `$` in its path is any one part. */
export function pageAt<P extends Placed>(pages: readonly P[], pathname: string): P | undefined {
  return (
    pages.find(({ path }) => path === pathname) ??
    pages.find(({ path }) => {
      const at = path.indexOf('$')
      return at > 0 && pathname.startsWith(path.slice(0, at)) && !pathname.slice(at).includes('/')
    })
  )
}

export type EarlyRequest = { address: `/api/${string}`; permission: string }

export type RoutePage = {
  /** Its last part may be any: `$name`. */
  path: `/admin/${string}`
  title: string
  /** What people call it besides; the palette finds it by these too. */
  words?: readonly string[]
  /** Key of the permission tree; `session` for every account. */
  permission: string
  /** Whom it is refused is told so and sent to the start page, where the documents ask for that (D3 §6). */
  refusedTo?: 'home'
  /** Source file with the page as its default export. */
  file: `${'features' | 'app'}/${string}.tsx`
  /** First part of the breadcrumb, and where in the menu it stands; without one it is an entry of its own. */
  group?: string
  /** Name of the menu's entry that several pages of a group share, at the place of the first; each shows the others over its title. */
  entry?: string
  /** Its place in the menu's group; a page without one is no entry. */
  order?: number
  /** Vendor staff have a page of their own for it: their menu shows that one alone. */
  forPartners?: true
  /** The page that this one is reached from; it stays marked in the menu. */
  under?: string
  /** The list that the page shows first; its request is sent together with the code. The address goes over a query that stands here. */
  list?: `/api/${string}`
  /** What the page asks for whatever its address says, sent together with the code. */
  early?: readonly EarlyRequest[]
  /** The parameters that its address may have. */
  search?: Asks<object>
}

/** A page for people without an account, by the start of its path; it loads without the shell. */
export type PublicPage = { prefix: `/${string}`; title: string; file: `features/${string}.tsx` }
