import { lazy } from 'react'
import type { Options } from '#web/list/options.ts'
import { useRegionName } from './useDivisions.tsx'

const RegionFilter = lazy(() => import('./RegionFilter.tsx'))

/** For a filter by place: a province, a city or a district, as the number that its code is. */
export const REGION_OPTIONS: Options = {
  useName: code => useRegionName(code === undefined ? undefined : String(code)),
  Picker: props => <RegionFilter {...props} />,
}
