import { Cascade } from '#web/form/choices/Cascade.tsx'
import { Labelled } from '#web/form/Labelled.tsx'
import type { PickerProps } from '#web/list/options.ts'
import { useDivisions } from './useDivisions.tsx'

/** A province, a city or a district. */
export default function RegionFilter({ label, value, onChange }: PickerProps) {
  const divisions = useDivisions()
  const code = value === undefined ? '' : String(value)
  const path = [2, 4, 6].filter(length => length <= code.length).map(length => code.slice(0, length))
  return (
    <Labelled label={label}>
      <Cascade
        aria-label={label}
        options={divisions.data?.provinces()}
        path={path.length > 0 ? path : undefined}
        onChange={codes => onChange(codes.length > 0 ? Number(codes.at(-1)) : undefined)}
        anyStep
        matches={divisions.data?.isCalled}
        placeholder="全部"
      />
    </Labelled>
  )
}
