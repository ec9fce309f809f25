/// <reference types="vite/client" />

/** Routes of operations without their schemas, made at build time from the features' contracts: what the login page asks. */
declare module 'virtual:contract/login' {
  export const contract: import('./client/api.ts').Routes
}

/** The routes of all other features. */
declare module 'virtual:contract' {
  export const contract: import('./client/api.ts').Routes
}

/** What addresses of pages without an account begin with: all that is asked of the table of pages before anybody is known. */
declare module 'virtual:public' {
  export const PUBLIC_PREFIXES: readonly string[]
}

/** What each change makes stale, by the operation's dotted name. */
declare module 'virtual:stale' {
  export const STALE: Readonly<Record<string, readonly string[]>>
}

/** What is shown where a page is asked for without a network. */
declare module 'virtual:offline' {
  export const OFFLINE_PAGE: string
}

declare module 'virtual:theme.css'
