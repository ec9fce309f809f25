import { HOME_NODE_ID } from '#features/office/access/rules.ts'
import { cleanSearch } from '#kit/words/cleaned.ts'
import { Button } from '#web/controls/Button.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Check } from '#web/form/Check.tsx'
import type { RightsNode } from './contract.ts'
import { isRight, rightsBelow, ticked } from './rules.ts'
import styles from './team.module.css'

type Props = {
  nodes: readonly RightsNode[]
  held: ReadonlySet<number>
  /** What the role that it is compared with holds. */
  compared: ReadonlySet<number> | null
  search: string
  /** Who can do it; without it nobody is asked. */
  onAsk?: (node: RightsNode) => void
  /** Without it the tree is only looked at. */
  onChange?: (held: ReadonlySet<number>) => void
}

/** Groups of the menu, their pages, and under each page what can be done there. */
export function RightsTree({ search, ...props }: Props) {
  const words = cleanSearch(search).toLowerCase()
  const meant = words === '' ? null : foundIn(props.nodes, words)
  const shown = (node: RightsNode) => meant === null || meant.has(node.id)
  const top = props.nodes.filter(node => node.parentId === null && shown(node))
  if (top.length === 0) return <p className={styles.none}>没有找到“{search.trim()}”，换个词试试</p>
  return (
    <div className={styles.tree}>
      {top.map(group => (
        <Branch key={group.id} node={group} shown={shown} {...props} />
      ))}
    </div>
  )
}

type BranchProps = Omit<Props, 'search'> & { node: RightsNode; shown: (node: RightsNode) => boolean }

function Branch({ node, shown, ...props }: BranchProps) {
  const { nodes, held, compared, onAsk, onChange } = props
  const children = nodes.filter(one => one.parentId === node.id && shown(one))
  const below = rightsBelow(nodes, node.id)
  const some = below.some(id => held.has(id))
  const all = below.every(id => held.has(id))
  const isGroup = !isRight(node)
  const label = isGroup ? `${node.name}（全部）` : node.name
  return (
    <div className={isGroup ? styles.group : styles.right} data-part={isGroup ? 'group' : 'right'}>
      <div className={styles.line}>
        <Check
          checked={isGroup ? all : held.has(node.id)}
          mixed={isGroup && some && !all}
          aria-label={label}
          disabled={onChange ? !isGroup && node.id === HOME_NODE_ID && '每个角色都有首页' : true}
          onChange={on => onChange?.(ticked(nodes, held, node.id, on))}
          note={node.says === '' ? undefined : node.says}
        >
          {node.name}
        </Check>
        {!isGroup && compared && <Difference mine={held.has(node.id)} theirs={compared.has(node.id)} />}
        {!isGroup && onAsk && (
          <Button kind="link" aria-label={`谁可以：${node.name}`} onClick={() => onAsk(node)}>
            谁可以
          </Button>
        )}
      </div>
      {children.length > 0 && (
        <div className={styles.below}>
          {children.map(child => (
            <Branch key={child.id} {...props} node={child} shown={shown} />
          ))}
        </div>
      )}
    </div>
  )
}

function Difference({ mine, theirs }: { mine: boolean; theirs: boolean }) {
  if (mine === theirs) return null
  return <StatusTag tone={mine ? 'done' : 'attention'}>{mine ? '对方没有' : '对方有'}</StatusTag>
}

/** What holds the words, with what it stands under and what stands under it. */
function foundIn(nodes: readonly RightsNode[], words: string): ReadonlySet<number> {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const found = new Set<number>()
  for (const node of nodes) {
    if (!`${node.name} ${node.says}`.toLowerCase().includes(words)) continue
    for (let at: RightsNode | undefined = node; at; at = byId.get(at.parentId ?? 0)) found.add(at.id)
    if (node.name.toLowerCase().includes(words)) for (const id of rightsBelow(nodes, node.id)) found.add(id)
  }
  return found
}
