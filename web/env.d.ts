/// <reference types="vite/client" />

declare module 'virtual:contract' {
  import type { AnyContractRouter } from '@orpc/contract'
  /** Routes of all operations without their schemas, made at build time from the features' contracts. */
  export const contract: AnyContractRouter
}

declare module 'virtual:theme.css'
