// Owns the state of a list in the address bar: the same names as the API's query parameters, defaults left out.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { type List, type ListParams as ParamsOf, readParams as readDeclared } from '#kit/declare/list.ts'

export type ListParams = {
  page?: number
  size?: number
  search?: string
  sort?: string
  order?: 'asc' | 'desc'
}

const DEFAULT_SIZE = 10
/** app/web-boot.ts reads it too. */
const sizeKey = () => `list-size ${location.pathname}`

/**
 * How many rows a page has: as its address says. One that says nothing has as many as were last chosen there in this browser;
 * one that names a page and no size, as a link may, has the default, so that it shows everybody the same rows.
 */
export function sizeOf({ page, size }: Pick<ListParams, 'page' | 'size'>): number {
  if (size !== undefined) return size
  return page === undefined ? Number(localStorage.getItem(sizeKey()) ?? DEFAULT_SIZE) : DEFAULT_SIZE
}

export function rememberSize(size: number): void {
  if (size === DEFAULT_SIZE) localStorage.removeItem(sizeKey())
  else localStorage.setItem(sizeKey(), String(size))
}

type SetOptions = {
  /** Replaces the history entry instead of adding one. */
  replace?: boolean
  /** Stays on the page; otherwise a change leads to page 1. */
  keepPage?: boolean
}
export type SetParams<Params> = (changed: Partial<Params>, options?: SetOptions) => void

/** The parameters in the address, and a way to change some of them. `undefined` and '' take one out. */
export function useListParams<L extends List>(list: L): [ParamsOf<L>, SetParams<ParamsOf<L>>]
export function useListParams<Params extends object = ListParams>(
  list?: undefined,
): [Params, SetParams<Params>]
export function useListParams<Params extends object>(list?: List): [Params, SetParams<Params>] {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>
  const navigate = useNavigate()
  // The router keeps the object while the address stays the same.
  const params = useMemo(
    () => (list ? (readDeclared(list, search) as unknown as Params) : readParams<Params>(search)),
    [list, search],
  )
  const setParams = useCallback<SetParams<Params>>(
    (changed, options = {}) => {
      const staysOnPage = options.keepPage || 'page' in changed
      void navigate({
        to: '.',
        replace: options.replace ?? false,
        resetScroll: false,
        search: (current: Record<string, unknown>) =>
          withoutDefaults({ ...current, ...(staysOnPage ? {} : { page: undefined }), ...changed }),
      })
    },
    [navigate],
  )
  return [params, setParams]
}

/** Whole numbers become numbers, except in the search text. Wrong values are the server's to refuse. */
function readParams<Params>(search: Record<string, string | undefined>): Params {
  const entries = Object.entries(search).map(([key, text]) => [
    key,
    key !== 'search' && text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : text,
  ])
  return Object.fromEntries(entries) as Params
}

function withoutDefaults(search: Record<string, unknown>): Record<string, string> {
  const kept = Object.entries(search).filter(
    ([key, value]) =>
      value !== undefined &&
      value !== null &&
      value !== '' &&
      !(key === 'page' && value === 1) &&
      !(key === 'size' && value === DEFAULT_SIZE),
  )
  return Object.fromEntries(kept.map(([key, value]) => [key, String(value)]))
}
