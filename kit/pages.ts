// What a page is: its path, title, permission, source file and place. Plain data: the router and the server read it.

/** After the `#` of a list's address: it is printed once it stands there. */
export const PRINT_HASH = 'print'

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
}

/** A page for people without an account, by the start of its path; it loads without the shell. */
export type PublicPage = { prefix: `/${string}`; title: string; file: `features/${string}.tsx` }
