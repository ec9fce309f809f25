import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '#web/client/api.ts'
import type { regions } from './contract.ts'

const regionsApi = api<typeof regions>('regions')
const FRESH_MS = 10 * 60_000

/** The divisions that hold: the program's table as a chunk of its own, with what was imported since. */
const DIVISIONS = queryOptions({
  queryKey: ['regions', 'divisions'],
  queryFn: async () => {
    const [{ divisionsWith }, { changes }] = await Promise.all([
      import('./divisions.ts'),
      regionsApi.changes(),
    ])
    return divisionsWith(changes)
  },
  staleTime: FRESH_MS,
})

export function useDivisions(asked = true) {
  return useQuery({ ...DIVISIONS, enabled: asked })
}

/** What a place is called, with those above it; undefined until it is known. */
export function useRegionName(code: string | undefined): string | undefined {
  const { data } = useDivisions(code !== undefined && code !== '')
  return code === undefined ? undefined : data?.regionName(code)
}
