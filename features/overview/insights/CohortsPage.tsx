import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { LaterAgentPicker } from '#features/office/agents/LaterAgentPicker.tsx'
import { SHOP_OPTIONS } from '#features/shops/merchants/MerchantOptions.tsx'
import type { SearchOf } from '#kit/declare/pages.ts'
import { formatCount } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { Button, buttonLook } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { FileLink } from '#web/form/files/FileLink.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import styles from './cohorts.module.css'
import type { insights } from './contract.ts'
import { HeatMap } from './HeatMap.tsx'
import { COHORT_MEASURES, COHORT_ROWS, COHORT_ROWS_FIRST, COHORT_UNITS, MEANINGS } from './rules.ts'

const insightsApi = api<typeof insights>('insights')

type Params = SearchOf<'/admin/insights/cohorts'>
type SetParams = (changed: Partial<Params>) => void

const keysOf = <K extends string>(words: Readonly<Record<K, string>>) => Object.keys(words) as K[]

/** Shops by the month they were registered in, and how many of them stayed; each cell opens these shops. */
export default function CohortsPage() {
  const [params, setParams] = useListParams<Params>()
  const { unit = 'month', rows = COHORT_ROWS_FIRST, versionId, agentId } = params
  const measure = params.measure !== undefined && params.measure in COHORT_MEASURES ? params.measure : 'kept'
  const asked = {
    unit,
    rows,
    ...(versionId !== undefined && { versionId }),
    ...(agentId !== undefined && { agentId }),
  }
  const query = useQuery({ ...insightsApi.cohorts.query(asked), placeholderData: keepPreviousData })
  // What is still shown while another comes leads to what it counts.
  const shown = useRef({ unit, versionId, agentId })
  if (!query.isPlaceholderData) shown.current = { unit, versionId, agentId }
  const file = new URLSearchParams(Object.entries(asked).map(([key, value]) => [key, String(value)]))
  const shops = query.data?.rows.reduce((sum, row) => sum + row.shops, 0) ?? 0
  return (
    <div className={`${look.page} ${styles.page}`}>
      <header className={styles.head}>
        <h1 className={look.pageTitle}>留存</h1>
        <div className={styles.files}>
          <FileLink href={`/api/insights/cohorts.xlsx?${file}`} rows={null}>
            导出 Excel
          </FileLink>
          <a className={buttonLook()} href={`/api/insights/cohorts.pdf?${file}`} download>
            导出 PDF
          </a>
        </div>
      </header>
      <Controls {...{ measure, unit, rows, versionId, agentId }} onChange={setParams} />
      <p className={look.quiet}>{MEANINGS.cohorts}</p>
      {query.isError ? (
        <LoadFailure error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <LoadingLines lines={12} />
      ) : shops === 0 ? (
        <p className={styles.none}>这些月份没有注册的商户，可以放宽版本、代理商或月份</p>
      ) : (
        <>
          <p className={look.quiet} aria-live="polite">
            共 <b>{formatCount(shops)}</b> 家商户，按注册月份
          </p>
          <HeatMap cohorts={query.data.rows} measure={measure} {...shown.current} />
        </>
      )}
    </div>
  )
}

type ControlsProps = Required<Pick<Params, 'measure' | 'unit' | 'rows'>> & {
  versionId: number | undefined
  agentId: number | undefined
  onChange: SetParams
}

function Controls({ measure, unit, rows, versionId, agentId, onChange }: ControlsProps) {
  const versions = SHOP_OPTIONS.versionId.useRows(true) ?? []
  return (
    <div className={styles.controls}>
      <Choice
        label="指标"
        words={COHORT_MEASURES}
        value={measure}
        onChange={key => onChange({ measure: key })}
      />
      <Choice label="列" words={COHORT_UNITS} value={unit} onChange={key => onChange({ unit: key })} />
      <select
        className={look.select}
        aria-label="注册月份"
        value={rows}
        onChange={({ target }) => onChange({ rows: Number(target.value) })}
      >
        {COHORT_ROWS.map(count => (
          <option key={count} value={count}>
            近 {count} 个月注册
          </option>
        ))}
      </select>
      <select
        className={look.select}
        aria-label="软件版本"
        value={versionId ?? ''}
        onChange={({ target }) =>
          onChange({ versionId: target.value === '' ? undefined : Number(target.value) } as Partial<Params>)
        }
      >
        <option value="">全部版本</option>
        {versions.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <div className={styles.agent}>
        <LaterAgentPicker
          value={agentId}
          placeholder="全部代理商"
          onChange={chosen => onChange({ agentId: chosen } as Partial<Params>)}
        />
      </div>
    </div>
  )
}

type ChoiceProps<K extends string> = {
  label: string
  words: Readonly<Record<K, string>>
  value: K
  onChange: (key: K) => void
}

function Choice<K extends string>({ label, words, value, onChange }: ChoiceProps<K>) {
  return (
    <fieldset className={styles.choice} aria-label={label}>
      {keysOf(words).map(key => (
        <Button key={key} changes={false} aria-pressed={key === value} onClick={() => onChange(key)}>
          {words[key]}
        </Button>
      ))}
    </fieldset>
  )
}
