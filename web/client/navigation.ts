// Owns ways from page to page: an address that no page has, or a parameter that it does not declare, does not compile.
import { useNavigate as useRouterNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Path, SearchOf, To } from '#kit/declare/pages.ts'

/** The number of a row that an address names; null where it names none, or nothing that could be one. */
export function idAsked(text: string | undefined): number | null {
  const id = Number(text)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

type How = {
  /** Replaces the history entry instead of adding one. */
  replace?: boolean
  resetScroll?: boolean
}

type Navigate = {
  /** By a whole address, as the server, or somebody, wrote it. */
  (address: { href: string } & How): Promise<void>
  <const P extends Path>(to: To<P> & How): Promise<void>
}

export function useNavigate(): Navigate {
  const navigate = useRouterNavigate()
  return useCallback((to: object) => navigate(to), [navigate])
}

type KeysOf<S> = S extends unknown ? keyof S & string : never
/** What an address says, as it is written: anybody may have written it. */
export type Asked<P extends Path> = { readonly [K in KeysOf<SearchOf<P>>]?: string }
export type Changed<P extends Path> = { [K in KeysOf<SearchOf<P>>]?: string | number | boolean | undefined }

/** What the address of this page says, and a way to change some of it that stays where one is. `undefined` takes a parameter out. */
export function usePageSearch<P extends Path>(): [Asked<P>, (changed: Changed<P>, how?: How) => void] {
  const asked = useSearch({ strict: false })
  const navigate = useRouterNavigate()
  const change = useCallback(
    (changed: Changed<P>, how?: How) =>
      void navigate({
        to: '.',
        resetScroll: false,
        search: (now: object) => ({ ...now, ...changed }),
        ...how,
      }),
    [navigate],
  )
  return [asked, change]
}
