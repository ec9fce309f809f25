/// <reference types="vite/client" />

/** Routes of a feature's operations without their schemas, made at build time from its contract. */
declare module 'virtual:routes/*' {
  export const routes: import('./client/api.ts').Routes
}

/** What addresses of pages without an account begin with: all that is asked of the table of pages before anybody is known. */
declare module 'virtual:public' {
  export const PUBLIC_PREFIXES: readonly string[]
}

/** What is shown where a page is asked for without a network. */
declare module 'virtual:offline' {
  export const OFFLINE_PAGE: string
}

declare module 'virtual:theme.css'
