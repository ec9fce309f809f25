import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import { formatCount } from '#kit/money.ts'
import { formatDay, formatInstant } from '#kit/time.ts'
import { messageOf, newKey } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { Labelled } from '#web/form/Labelled.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import { LinesImport } from './LinesImport.tsx'
import styles from './reference.module.css'
import { referenceApi } from './referenceApi.tsx'
import { REFERENCE_REFUSALS } from './rules.ts'
import { saveText } from './saveText.tsx'

/** The edition of the divisions that holds, as a file, and another brought in its place. */
export function RegionsPanel() {
  const edition = useQuery(referenceApi.regions.query())
  const [importing, setImporting] = useState(false)
  const [source, setSource] = useState('')
  const history = useHistory()
  if (edition.isError) return <LoadFailure error={edition.error} onRetry={() => void edition.refetch()} />
  if (!edition.data) return <LoadingLines />
  const { changedAt, changedByName, districts } = edition.data
  const save = async () => {
    try {
      const { text } = await referenceApi.regionsText()
      saveText(`行政区划-${edition.data.source}.csv`, `\uFEFF${text}`, 'text/csv')
    } catch (error) {
      toast.error(messageOf(error))
    }
  }
  return (
    <section className={styles.table} aria-label="行政区划">
      <header>
        <p className={look.quiet}>
          商户和代理商的省市区，按 GB/T 2260。导入新版本后，已撤销的地区不再供选择，已有的商户保持原名称。
        </p>
        <span className={styles.tools}>
          {history
            .actionsOf({ kind: 'setting', id: 'regions', name: '行政区划' })
            .map(({ key, label, onClick }) => (
              <Button key={key} changes={false} onClick={onClick}>
                {label}
              </Button>
            ))}
          <Button changes={false} onClick={() => void save()}>
            下载现行版本
          </Button>
          <Button kind="primary" onClick={() => setImporting(true)}>
            导入新版本
          </Button>
        </span>
      </header>
      <Facts>
        <Fact label="现行版本">{edition.data.source}</Fact>
        <Fact label="区县">{formatCount(districts)} 个</Fact>
        <Fact label="导入">
          {changedAt === null ? '随系统提供' : `${formatInstant(changedAt)} ${changedByName}`}
        </Fact>
      </Facts>
      {importing && (
        <LinesImport
          title="行政区划"
          table={null}
          about="文件为 Excel、WPS 表格或 CSV，第一行是「代码,名称」，须包含全部省、市、区县；代码为 2、4 或 6 位。可先下载现行版本，在其上修改。"
          rehearse={text => referenceApi.rehearseRegions({ text })}
          bring={(text, token) =>
            referenceApi.importRegions({ source, text, token }, { idempotencyKey: newKey() })
          }
          more={
            <Labelled label="版本">
              <TextInput
                aria-label="版本"
                placeholder={`如 ${formatDay(new Date())}`}
                value={source}
                maxLength={40}
                onChange={setSource}
              />
            </Labelled>
          }
          lock={source.trim() === '' ? REFERENCE_REFUSALS.SOURCE_WRONG : null}
          onDone={() => {
            setImporting(false)
            setSource('')
          }}
        />
      )}
      {history.drawer}
    </section>
  )
}
