import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { TEMPLATE_STATES } from '#features/print/print-templates/rules.ts'
import type { ListParams } from '#kit/declare/list.ts'
import { DEFAULT_PAGE_SIZE } from '#kit/declare/page.ts'
import type { Label } from '#kit/print/label.ts'
import { labelCharacters } from '#kit/print/label-text.ts'
import { SAMPLES } from '#kit/print/samples.ts'
import { Button, buttonLook } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { EmptyState, LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { optionsOf } from '#web/form/options.ts'
import { Select } from '#web/form/Select.tsx'
import { ListPager } from '#web/list/ListPager.tsx'
import { ListSearch } from '#web/list/ListSearch.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import { useGlyphs } from '#web/print/useGlyphs.ts'
import { LABEL_TEMPLATES } from './fields.ts'
import { LabelCard } from './LabelCard.tsx'
import styles from './labels.module.css'
import { labelsApi, useIndustries } from './labelsApi.tsx'
import { DESIGNER_PATH } from './rules.ts'
import { useLabelActions } from './useLabelActions.tsx'

/** Label templates as pictures. */
export default function LabelListPage() {
  const [params, setParams] = useListParams(LABEL_TEMPLATES)
  const { size = DEFAULT_PAGE_SIZE, page = 1 } = params
  const list = useQuery({ ...labelsApi.list.query({ ...params, size }), placeholderData: before => before })
  const rows = list.data?.rows
  // All at once, not picture by picture.
  const characters = useMemo(
    () => (rows ?? []).flatMap(row => labelCharacters(row.content as Label, SAMPLES.typical)),
    [rows],
  )
  const isDrawn = useGlyphs(characters) !== null
  const actions = useLabelActions()
  const isFiltered = Boolean(params.search || params.industryId || params.state || params.deleted)
  return (
    <section className={`${look.page} ${styles.page}`} aria-labelledby="labels-title">
      <header className={styles.head}>
        <h1 id="labels-title" className={look.pageTitle}>
          标签模板
        </h1>
        <Permit permission="labels.edit">
          <Link className={buttonLook('primary')} to={DESIGNER_PATH}>
            新建模板
          </Link>
        </Permit>
      </header>
      <Filters params={params} onChange={setParams} />
      {list.isError && !rows ? (
        <LoadFailure error={list.error} onRetry={() => void list.refetch()} />
      ) : !rows ? (
        <LoadingLines lines={10} />
      ) : rows.length === 0 ? (
        <Nothing
          isFiltered={isFiltered}
          onClear={() =>
            setParams({ search: undefined, industryId: undefined, state: undefined, deleted: undefined })
          }
        />
      ) : (
        <ul className={styles.grid} aria-label="标签模板" aria-busy={list.isPlaceholderData || undefined}>
          {rows.map(row => (
            <LabelCard
              key={row.id}
              row={row}
              actions={actions}
              isDrawn={isDrawn}
              isDeleted={params.deleted === true}
            />
          ))}
        </ul>
      )}
      {list.data && list.data.total > 0 && (
        <ListPager
          {...{ page, size }}
          total={list.data.total}
          totalCapped={list.data.totalCapped}
          fullPage={list.data.rows.length === size}
          onPage={to => setParams({ page: to })}
          onSize={to => setParams({ size: to })}
          onNear={() => undefined}
        />
      )}
      {actions.dialogs}
    </section>
  )
}

type Params = ListParams<typeof LABEL_TEMPLATES>
type FilterProps = { params: Params; onChange: (changed: Partial<Params>) => void }

function Filters({ params, onChange }: FilterProps) {
  const industries = useIndustries()
  return (
    <div className={styles.filters}>
      <ListSearch
        placeholder="模板名称"
        value={params.search ?? ''}
        onChange={search => onChange({ search: search || undefined })}
      />
      <Select<number>
        aria-label="适用行业"
        placeholder="适用行业"
        allowClear
        value={params.industryId}
        options={industries?.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={industryId => onChange({ industryId })}
      />
      <Select<string>
        aria-label="状态"
        placeholder="状态"
        allowClear
        onSearch={null}
        value={params.state}
        options={optionsOf(TEMPLATE_STATES)}
        onChange={state => onChange({ state: state as typeof params.state })}
      />
      <Button
        kind="quiet"
        aria-pressed={params.deleted === true}
        onClick={() => onChange({ deleted: params.deleted ? undefined : true })}
      >
        回收站
      </Button>
    </div>
  )
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return isFiltered ? (
    <EmptyState title="没有符合条件的模板">
      <Button onClick={onClear}>清除筛选</Button>
    </EmptyState>
  ) : (
    <EmptyState title="还没有标签模板">
      <p>新建一个，设计好后发布给店铺的收银软件使用。</p>
    </EmptyState>
  )
}
