import { Cascade } from '#web/form/choices/Cascade.tsx'
import type { ControlProps } from '#web/form/Field.tsx'
import { useDivisions } from './useDivisions.tsx'

type Props = Partial<ControlProps> & {
  /** Six digits, or empty. */
  value: string
  onChange: (districtCode: string) => void
  /** The city whose districts are offered first, where none is chosen. */
  startAt?: string
  disabled?: boolean
}

/** Province, city and district by GB/T 2260, with search over all three names. The table comes as a chunk of its own. */
export default function RegionPicker(props: Props) {
  const divisions = useDivisions()
  const { value, onChange, startAt = '', ...control } = props
  return (
    <Cascade
      {...control}
      options={divisions.isError ? [] : divisions.data?.provincesWith(value)}
      path={value === '' ? undefined : [value.slice(0, 2), value.slice(0, 4), value]}
      startAt={startAt === '' ? undefined : [startAt.slice(0, 2), startAt]}
      onChange={codes => onChange(codes[2] ?? '')}
      matches={divisions.data?.isCalled}
      shown={distinct}
      placeholder="省 / 市 / 区"
      notFound={divisions.isError ? '加载失败，请刷新后重试' : '没有匹配的地区'}
    />
  )
}

function distinct(names: readonly string[]): string[] {
  return names.filter((name, level) => name !== names[level - 1])
}
