// What a page is: its path, title, permission, source file and place. Plain data: the router and the server read it.

export type EarlyRequest = { address: `/api/${string}`; permission: string }

export type RoutePage = {
  path: `/admin/${string}`
  title: string
  /** What people call it besides; the palette finds it by these too. */
  words?: readonly string[]
  /** Key of the permission tree; `session` for every account. */
  permission: string
  /** Source file with the page as its default export. */
  file: `${'features' | 'app'}/${string}.tsx`
  /** First part of the breadcrumb. */
  group?: string
  /** The page that this one is reached from; it stays marked in the menu. */
  under?: string
  /** The list that the page shows first; its request is sent together with the code. The address goes over a query that stands here. */
  list?: `/api/${string}`
  /** What the page asks for whatever its address says, sent together with the code. */
  early?: readonly EarlyRequest[]
}

/** A page for people without an account, by the start of its path; it loads without the shell. */
export type PublicPage = { prefix: `/${string}`; title: string; file: `features/${string}.tsx` }
