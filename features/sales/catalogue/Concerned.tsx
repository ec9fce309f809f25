import type { ReactNode } from 'react'
import { formatCount } from '#kit/money.ts'
import styles from './catalogue.module.css'

type Agent = { id: number; name: string; shops: number; ending: number }
type Props = {
  /** What is counted, and how many. */
  figures: readonly (readonly [label: string, text: string])[]
  /** What it means. */
  children: ReactNode
  /** Agents with the most shops that have it, and how many agents there are. */
  agents: readonly Agent[]
  agentCount: number
  /** What is used up has no day on which it ends. */
  ends: boolean
}

/** Whom it concerns that something is sold no more. */
export function Concerned({ figures, children, agents, agentCount, ends }: Props) {
  const others = agentCount - agents.length
  return (
    <div className={styles.concerned}>
      <dl>
        {figures.map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {children}
      {agents.length > 0 && (
        <table>
          <caption>
            涉及 {formatCount(agentCount)} 家代理商{others > 0 && `，商户最多的 ${agents.length} 家`}
          </caption>
          <thead>
            <tr>
              <th scope="col">代理商</th>
              <th scope="col">商户</th>
              {ends && <th scope="col">90 天内到期</th>}
            </tr>
          </thead>
          <tbody>
            {agents.map(agent => (
              <tr key={agent.id}>
                <td>
                  {agent.name}（{agent.id}）
                </td>
                <td>{formatCount(agent.shops)}</td>
                {ends && <td>{formatCount(agent.ending)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
