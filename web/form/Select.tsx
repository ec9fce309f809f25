import { Select as AntSelect } from 'antd'
import { AntTheme } from '../theme/AntTheme.tsx'
import { usePhone } from '../theme/usePhone.ts'
import { SelectSheet } from './choices/SelectSheet.tsx'
import type { ControlProps } from './Field.tsx'
import { Labelled } from './Labelled.tsx'
import styles from './Select.module.css'

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
  /** What is chosen, in a word: over the sheet of a phone, where the control itself has a label beside it. */
  what?: string
  /** Asks for options as one types; null: they are few and not searched. Unless told, those that are there are searched. */
  onSearch?: ((typed: string) => void) | null
  /** What is read where nothing is found. */
  notFound?: string
  /** Pixels of the open list, where it is wider than the control. */
  listWidth?: number
  loading?: boolean
  disabled?: boolean
}

/** So many stand in a sheet as they are; more are searched. */
const FEW = 12
/** Pixels of their list. */
const SHEET_HEIGHT = 396

/** One of many, found by typing unless they are few; on a phone in a sheet at the thumb. */
export function Select<V extends string | number>({
  label,
  what,
  value,
  options,
  onChange,
  onSearch,
  notFound,
  listWidth,
  loading,
  ...rest
}: Props<V>) {
  const phone = usePhone()
  const isSearched = Boolean(onSearch) || (options?.length ?? 0) > FEW
  const select =
    phone && isSearched ? (
      <SelectSheet
        {...rest}
        {...{ value, options, onChange, onSearch, notFound }}
        name={label ?? rest['aria-label'] ?? what ?? rest.placeholder ?? ''}
        aria-label={label ?? rest['aria-label']}
      />
    ) : (
      <AntTheme>
        <AntSelect<V>
          {...rest}
          aria-label={label ?? rest['aria-label']}
          status={rest['aria-invalid'] ? 'error' : undefined}
          // Undefined would leave what was picked last where the form takes it elsewhere.
          value={(options ? value : undefined) ?? (null as unknown as undefined)}
          onChange={chosen => onChange(chosen)}
          options={options && [...options]}
          loading={loading ?? options === undefined}
          showSearch={
            onSearch
              ? { filterOption: false, onSearch }
              : onSearch !== null && !phone && { optionFilterProp: 'label' }
          }
          notFoundContent={notFound}
          popupMatchSelectWidth={listWidth}
          {...(phone && {
            classNames: { popup: { root: styles.sheet } },
            listHeight: SHEET_HEIGHT,
            listItemHeight: 44,
          })}
        />
      </AntTheme>
    )
  return label === undefined ? select : <Labelled label={label}>{select}</Labelled>
}
