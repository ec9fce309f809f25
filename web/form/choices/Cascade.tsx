import { Cascader } from 'antd'
import { useId } from 'react'
import { look } from '#web/controls/look.ts'
import { AntTheme } from '../../theme/AntTheme.tsx'
import { usePhone } from '../../theme/usePhone.ts'
import type { ControlProps } from '../Field.tsx'
import { KeyScroll } from '../KeyScroll.tsx'
import styles from './Cascade.module.css'
import { CascadeSheet, type Step } from './CascadeSheet.tsx'

type Props = Partial<ControlProps> & {
  'aria-label'?: string
  /** Undefined while they are on their way. */
  options: readonly Step[] | undefined
  /** The codes from the first step to the chosen one. */
  path: readonly string[] | undefined
  onChange: (path: readonly string[]) => void
  /** The steps that stand open where nothing is chosen. */
  startAt?: readonly string[]
  /** A step before the last may be chosen too. */
  anyStep?: boolean
  /** Whether what is typed finds this path; unless told, where a name contains it. */
  matches?: (typed: string, path: readonly Step[]) => boolean
  /** The names of a path as they are shown. */
  shown?: (names: readonly string[]) => readonly string[]
  placeholder?: string
  notFound?: string
  disabled?: boolean
}

/** One of a tree, step by step or found by typing. */
export function Cascade({
  options,
  path,
  onChange,
  startAt,
  anyStep,
  matches,
  shown = names => names,
  notFound,
  ...rest
}: Props) {
  const ownId = useId()
  const id = rest.id ?? ownId
  const phone = usePhone()
  const shownPath = options && (path ?? startAt)
  const text = (names: readonly string[]) => shown(names).join(' / ')
  if (phone)
    return (
      <CascadeSheet
        {...rest}
        {...{ id, options, path, startAt, onChange, notFound }}
        name={rest['aria-label'] ?? rest.placeholder ?? ''}
        anyStep={anyStep ?? false}
        matches={matches ?? isNamed}
        textOf={text}
      />
    )
  return (
    <AntTheme>
      <Cascader<Step, 'code'>
        {...rest}
        id={id}
        options={options ? [...options] : []}
        fieldNames={{ label: 'name', value: 'code', children: 'children' }}
        value={shownPath && [...shownPath]}
        onChange={codes => onChange(codes ?? [])}
        changeOnSelect={anyStep}
        showSearch={
          matches
            ? { filter: matches, limit: 50, render: (_text, steps) => text(steps.map(({ name }) => name)) }
            : true
        }
        displayRender={path ? text : () => <span className={styles.placeholder}>{rest.placeholder}</span>}
        allowClear={path !== undefined}
        // The name under which the control knows its list, which nothing has otherwise.
        popupRender={lists => <KeyScroll id={`${id}_list`}>{lists}</KeyScroll>}
        loading={options === undefined}
        status={rest['aria-invalid'] ? 'error' : undefined}
        notFoundContent={<span className={look.quiet}>{options ? notFound : '加载中'}</span>}
        style={{ width: '100%' }}
      />
    </AntTheme>
  )
}

function isNamed(typed: string, steps: readonly Step[]): boolean {
  return steps.some(({ name }) => name.includes(typed))
}
