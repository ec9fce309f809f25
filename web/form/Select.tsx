import { Select as AntSelect } from 'antd'
import { AntTheme } from '../AntTheme.tsx'
import type { ControlProps } from './Field.tsx'
import { Labelled } from './Labelled.tsx'
import { usePhoneSheet } from './sheet/usePhoneSheet.ts'

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
  'aria-label'?: string
  'aria-labelledby'?: string
  /** Asks for options as one types; null: they are few and not searched. Unless told, those that are there are searched. */
  onSearch?: ((typed: string) => void) | null
  /** What is read where nothing is found. */
  notFound?: string
  /** Pixels of the open list, where it is wider than the control. */
  listWidth?: number
  loading?: boolean
  disabled?: boolean
}

/** Pixels of the list in a sheet. */
const SHEET_HEIGHT = 396

/** One of many, found by typing unless they are few. */
export function Select<V extends string | number>({
  label,
  value,
  options,
  onChange,
  onSearch,
  notFound,
  listWidth,
  loading,
  ...rest
}: Props<V>) {
  const sheet = usePhoneSheet(onSearch ? undefined : options?.length)
  const select = (
    <AntTheme>
      <AntSelect<V>
        {...rest}
        aria-label={label ?? rest['aria-label']}
        status={rest['aria-invalid'] ? 'error' : undefined}
        value={options ? value : undefined}
        onChange={chosen => onChange(chosen)}
        options={options && [...options]}
        loading={loading ?? options === undefined}
        showSearch={
          onSearch
            ? { filterOption: false, onSearch }
            : onSearch !== null && !sheet && { optionFilterProp: 'label' }
        }
        notFoundContent={notFound}
        popupMatchSelectWidth={listWidth}
        {...(sheet && {
          classNames: { popup: { root: sheet } },
          listHeight: SHEET_HEIGHT,
          listItemHeight: 44,
        })}
      />
    </AntTheme>
  )
  return label === undefined ? select : <Labelled label={label}>{select}</Labelled>
}
