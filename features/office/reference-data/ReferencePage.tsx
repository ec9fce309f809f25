import { useQuery } from '@tanstack/react-query'
import { useNavigate, usePageSearch } from '#web/client/navigation.ts'
import { usePermission } from '#web/client/session.ts'
import { look } from '#web/controls/look.ts'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { Tabs } from '#web/form/Tabs.tsx'
import { ConfigurationPanel } from './ConfigurationPanel.tsx'
import { ReferenceTable } from './ReferenceTable.tsx'
import { RegionsPanel } from './RegionsPanel.tsx'
import styles from './reference.module.css'
import { referenceApi } from './referenceApi.tsx'
import { SettingsPanel } from './SettingsPanel.tsx'

/** Every table of reference data, each as its feature declares it; `?table=` is the one that is open. */
export default function ReferencePage() {
  const [{ table }] = usePageSearch<'/admin/operations/reference'>()
  const navigate = useNavigate()
  const configures = usePermission('referenceData.configure')
  const known = useQuery(referenceApi.tables.query())
  if (known.isError) return <LoadFailure error={known.error} onRetry={() => void known.refetch()} />
  return (
    <div className={`${look.page} ${styles.reference}`}>
      <h1 className={look.pageTitle}>基础数据</h1>
      {known.data ? (
        <Tabs
          shown={table}
          onChange={key => void navigate({ to: '/admin/operations/reference', search: { table: key } })}
          tabs={[
            ...known.data.tables.map(one => ({
              key: one.key,
              label: one.title,
              content: <ReferenceTable table={one} />,
            })),
            { key: 'regions', label: '行政区划', content: <RegionsPanel /> },
            { key: 'settings', label: '规则与限额', content: <SettingsPanel /> },
            ...(configures
              ? [{ key: 'configuration', label: '配置文件', content: <ConfigurationPanel /> }]
              : []),
          ]}
        />
      ) : (
        <LoadingLines />
      )}
    </div>
  )
}
