import { useQuery } from '@tanstack/react-query'
import { Cascader } from 'antd'
import type { ControlProps } from '#web/form/Field.tsx'
import type { Division } from './rules.ts'

type Props = Partial<ControlProps> & {
  /** Six digits, or empty. */
  value: string
  onChange: (districtCode: string) => void
  disabled?: boolean
}

/** Province, city and district by GB/T 2260, with search over all three names. The table comes as a chunk of its own. */
export default function RegionPicker(props: Props) {
  const divisions = useQuery({
    queryKey: ['regions', 'divisions'],
    queryFn: async () => (await import('./divisions.ts')).provinces(),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { value } = props
  return (
    <Cascader<Division, 'code'>
      id={props.id}
      aria-describedby={props['aria-describedby']}
      aria-invalid={props['aria-invalid']}
      aria-required={props['aria-required']}
      options={divisions.data ?? []}
      fieldNames={{ label: 'name', value: 'code', children: 'children' }}
      value={value === '' || !divisions.data ? undefined : [value.slice(0, 2), value.slice(0, 4), value]}
      onChange={codes => props.onChange(codes?.[2] ?? '')}
      onBlur={props.onBlur}
      showSearch={{
        filter: matches,
        limit: 50,
        render: (_text, path) => distinct(path.map(step => step.name)).join(' / '),
      }}
      displayRender={names => distinct(names).join(' / ')}
      loading={divisions.isPending}
      disabled={props.disabled}
      status={props['aria-invalid'] ? 'error' : undefined}
      placeholder="省 / 市 / 区"
      notFoundContent={divisions.isError ? '加载失败，请刷新后重试' : '没有匹配的地区'}
      style={{ width: '100%' }}
    />
  )
}

function matches(text: string, path: readonly Division[]): boolean {
  const names = path.map(division => division.name).join('')
  return text
    .split(/[\s/]+/)
    .filter(part => part !== '')
    .every(part => names.includes(part))
}

function distinct(names: readonly string[]): string[] {
  return names.filter((name, level) => name !== names[level - 1])
}
