import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import type { Options } from '#web/list/options.ts'

const RegionFilter = lazy(() => import('./RegionFilter.tsx'))

/** For a filter by place: a province, a city or a district, as the number that its code is. */
export const REGION_OPTIONS: Options = {
  useName: code =>
    useQuery({
      queryKey: ['regions', 'name', code],
      queryFn: async () => (await import('./divisions.ts')).regionName(String(code)),
      enabled: code !== undefined,
      staleTime: Number.POSITIVE_INFINITY,
    }).data,
  Picker: props => <RegionFilter {...props} />,
}
