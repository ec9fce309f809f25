import { Copyable, Instant } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import type { LogRow } from './contract.ts'
import styles from './operation-log.module.css'
import { MODULES, OUTCOMES } from './rules.ts'

type Props = {
  row: LogRow
  /** What this stands among the acts on; it is not named in each of them. Without, the act stands alone and is shown whole. */
  among?: string
}

/** One act: in words, its changes before and after, and where it came from. */
export function LogEntry({ row, among }: Props) {
  const whole = among === undefined
  return (
    <article className={styles.entry} aria-label={`${row.title} ${row.subject}`}>
      <header>
        <h3>
          {row.accountName} {row.title}
        </h3>
        {row.outcome === 'refused' && <StatusTag tone="problem">{OUTCOMES.refused}</StatusTag>}
        <span className={look.quiet}>
          <Instant at={row.createdAt} />
        </span>
      </header>
      {(whole || !row.subject.startsWith(among)) && <p className={styles.subject}>{row.subject}</p>}
      <Changes changes={row.changes} />
      {whole ? (
        <Origin row={row} />
      ) : (
        <details className={styles.asked}>
          <summary>来源</summary>
          <Origin row={row} />
        </details>
      )}
    </article>
  )
}

function Changes({ changes }: { changes: LogRow['changes'] }) {
  if (changes.length === 0) return null
  const edited = changes.some(({ before }) => before !== null)
  return (
    <table className={styles.changes} data-edited={edited || undefined}>
      <thead>
        <tr>
          <th scope="col">名称</th>
          {edited && <th scope="col">修改前</th>}
          <th scope="col">{edited ? '修改后' : '内容'}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ name, before, after }) => (
          <tr key={`${name} ${before} ${after}`}>
            <th scope="row">{name}</th>
            {edited && (
              <td data-label="修改前">
                {before ? <del>{before}</del> : <span className={look.quiet}>空</span>}
              </td>
            )}
            <td data-label={edited ? '修改后' : undefined}>
              {after ? edited ? <ins>{after}</ins> : after : <span className={look.quiet}>空</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Origin({ row }: { row: LogRow }) {
  const facts: [label: string, text: string][] = [
    ['模块', MODULES[row.module]],
    ['设备', row.device || '—'],
    ['网络地址', row.ip || '—'],
    ['请求编号', row.requestId],
  ]
  return (
    <dl className={styles.origin}>
      {facts.map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Copyable text={text} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
