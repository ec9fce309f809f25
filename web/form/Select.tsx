import { Select as AntSelect } from 'antd'
import type { ControlProps } from './Field.tsx'
import { Labelled } from './Labelled.tsx'

type Props<V> = Partial<ControlProps> & {
  /** Above it; in a form the field has one. */
  label?: string
  value: V | undefined
  /** Undefined while they are on their way. */
  options: readonly { value: V; label: string }[] | undefined
  /** Undefined: nothing is chosen any more. */
  onChange: (value: V | undefined) => void
  allowClear?: boolean
  placeholder?: string
  loading?: boolean
  disabled?: boolean
}

/** One of many, found by typing. */
export function Select<V extends string | number>({
  label,
  value,
  options,
  onChange,
  loading,
  ...rest
}: Props<V>) {
  const select = (
    <AntSelect<V>
      {...rest}
      aria-label={label}
      status={rest['aria-invalid'] ? 'error' : undefined}
      value={options ? value : undefined}
      onChange={chosen => onChange(chosen)}
      options={options && [...options]}
      loading={loading ?? options === undefined}
      showSearch={{ optionFilterProp: 'label' }}
    />
  )
  return label === undefined ? select : <Labelled label={label}>{select}</Labelled>
}
