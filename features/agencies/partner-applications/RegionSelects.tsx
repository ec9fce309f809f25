import { useState } from 'react'
import type { Division } from '#features/office/regions/rules.ts'
import { useDivisions } from '#features/office/regions/useDivisions.tsx'
import { look } from '#web/controls/look.ts'
import type { ControlProps } from '#web/form/Field.tsx'
import styles from './apply.module.css'

type Props = { control: ControlProps; value: string; onChange: (districtCode: string) => void }

/** Province, city and district by the browser's own choices: the page carries no component library. */
export function RegionSelects({ control, value, onChange }: Props) {
  const [chosen, setChosen] = useState(value)
  const provinces = useDivisions().data?.provinces() ?? []
  const cities = childrenOf(provinces, chosen.slice(0, 2))
  const districts = childrenOf(cities, chosen.slice(0, 4))
  const choose = (code: string) => {
    setChosen(code)
    onChange(code.length === 6 ? code : '')
  }
  const levels = [
    { name: '省份', digits: 2, above: '', options: provinces },
    { name: '城市', digits: 4, above: chosen.slice(0, 2), options: cities },
    { name: '区县', digits: 6, above: chosen.slice(0, 4), options: districts },
  ]
  return (
    <div className={styles.region}>
      {levels.map(({ name, digits, above, options }, level) => (
        <select
          key={name}
          {...(level === 0 ? control : {})}
          aria-label={name}
          aria-invalid={control['aria-invalid'] || undefined}
          aria-describedby={control['aria-describedby']}
          className={look.select}
          value={chosen.length >= digits ? chosen.slice(0, digits) : ''}
          disabled={options.length === 0}
          onBlur={control.onBlur}
          onChange={event => choose(event.target.value || above)}
        >
          <option value="">{name}</option>
          {options.map(option => (
            <option key={option.code} value={option.code}>
              {option.name}
            </option>
          ))}
        </select>
      ))}
    </div>
  )
}

function childrenOf(divisions: readonly Division[], code: string): readonly Division[] {
  return divisions.find(division => division.code === code)?.children ?? []
}
