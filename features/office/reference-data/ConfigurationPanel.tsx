import { useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { formatDay } from '#kit/time.ts'
import { messageOf, newKey } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import type { referenceData } from './contract.ts'
import { FilePick, Problem, useAttempt } from './FilePick.tsx'
import styles from './reference.module.css'
import { referenceApi } from './referenceApi.tsx'
import { REFERENCE_REFUSALS } from './rules.ts'
import { saveText } from './saveText.tsx'

type Rehearsal = Out<typeof referenceData.rehearse>
type Chosen = { name: string; file: Record<string, unknown>; rehearsal: Rehearsal }

/** The whole configuration as one file: out, and in after a rehearsal that says what it would do. */
export function ConfigurationPanel() {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const { busy, message, attempt } = useAttempt(problemOf)
  const take = (picked: File) =>
    attempt(async () => {
      setChosen(null)
      const file = JSON.parse(await picked.text()) as Record<string, unknown>
      setChosen({ name: picked.name, file, rehearsal: await referenceApi.rehearse({ file }) })
    })
  const bring = ({ file, rehearsal }: Chosen) =>
    attempt(async () => {
      const question = {
        title: '导入配置？',
        text: '将按上面的检查结果修改本系统的配置',
        confirmText: '导入',
      }
      if (!(await confirm(question))) return
      await referenceApi.importConfiguration({ file, token: rehearsal.token }, { idempotencyKey: newKey() })
      toast.success('配置已导入')
      setChosen(null)
      await reread()
    })
  return (
    <section className={styles.table} aria-label="配置文件">
      <header>
        <p className={look.quiet}>
          把基础数据、规则与限额、版本、套餐、价格和促销等配置导出为一个文件，再导入另一套系统。文件不含密钥和任何代理商的数据。
        </p>
        <span className={styles.tools}>
          <Button busy={busy} onClick={() => void attempt(saveConfiguration)}>
            导出配置
          </Button>
          <FilePick accept="application/json,.json" busy={busy} onPick={picked => void take(picked)}>
            选择配置文件
          </FilePick>
        </span>
      </header>
      <Problem message={message} />
      {chosen && <Checked chosen={chosen} busy={busy} onImport={() => void bring(chosen)} />}
    </section>
  )
}

/** What is no JSON is no configuration. */
function problemOf(error: unknown): string {
  return error instanceof SyntaxError ? REFERENCE_REFUSALS.FILE_WRONG : messageOf(error)
}

async function saveConfiguration(): Promise<void> {
  const file = await referenceApi.exportConfiguration()
  saveText(`配置-${formatDay(new Date())}.json`, `${JSON.stringify(file, null, 2)}\n`, 'application/json')
}

type CheckedProps = { chosen: Chosen; busy: boolean; onImport: () => void }

/** What the file would do, table by table, and the button that does it. */
function Checked({ chosen: { name, rehearsal }, busy, onImport }: CheckedProps) {
  const touched = rehearsal.tables.filter(table => partsOf(table).length > 0)
  const isRefused = touched.some(({ refused }) => refused.length > 0)
  const lock = isRefused
    ? REFERENCE_REFUSALS.FILE_REFUSED
    : touched.every(table => partsOf(table).every(([what]) => what === '保留'))
      ? '与本系统的配置相同，无需导入'
      : null
  return (
    <section aria-label="检查结果">
      <h2 className={look.sectionTitle}>{`检查结果：${name}`}</h2>
      {touched.length === 0 && <p>与本系统的配置相同</p>}
      <ul className={styles.rows}>
        {touched.map(table => (
          <li key={table.key}>
            <span className={styles.what}>
              <strong>{table.title}</strong>
              {partsOf(table).map(([what, names]) => (
                <Part key={what} what={what} names={names} />
              ))}
            </span>
          </li>
        ))}
      </ul>
      <ul className={styles.left} aria-label="不随文件带出">
        {rehearsal.left.map(line => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <Button kind="primary" busy={busy} disabled={lock} onClick={onImport}>
        导入
      </Button>
    </section>
  )
}

const SHOWN = 20

/** What is done to rows of a table, each by its name; of many the first, until all are asked for. */
function Part({ what, names }: { what: string; names: readonly string[] }) {
  const [all, setAll] = useState(false)
  const shown = all ? names : names.slice(0, SHOWN)
  return (
    <span className={styles.facts} data-refused={what === '不能导入' || undefined}>
      {`${what} ${names.length} 项：${shown.join('；')} `}
      {shown.length < names.length && (
        <Button kind="link" changes={false} onClick={() => setAll(true)}>
          {`查看全部 ${names.length} 项`}
        </Button>
      )}
    </span>
  )
}

function partsOf(table: Rehearsal['tables'][number]): [what: string, names: string[]][] {
  const parts: [string, string[]][] = [
    ['新增', table.added],
    ['修改', table.changed.map(({ name, what }) => `${name} ${what}`)],
    ['删除', table.removed],
    ['停用', table.retired],
    ['保留', table.kept],
    ['不能导入', table.refused],
  ]
  return parts.filter(([, names]) => names.length > 0)
}
