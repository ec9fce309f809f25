import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { catalogueItem, SECTIONS } from '#kit/print/receipt.ts'
import { formatInstant } from '#kit/time.ts'
import { Button, buttonLook } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { EmptyState, LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { ListSearch } from '#web/list/ListSearch.tsx'
import styles from './receipts.module.css'
import { GROUP_PATH, type GroupRow, receiptsApi } from './receiptsApi.tsx'
import { tagsOf, withTag } from './rules.ts'
import { useDeeds } from './useDeeds.tsx'

/** Groups of what a receipt says as cards, found by their tags. */
export function GroupCards({ tabs }: { tabs: ReactNode }) {
  const groups = useQuery(receiptsApi.groups.query())
  const [word, setWord] = useState('')
  const deeds = useDeeds()
  return (
    <div className={look.page}>
      <header className={styles.head}>
        <h1 className={look.pageTitle}>小票信息分组</h1>
        <Permit permission="receipts.edit">
          <Link className={buttonLook('primary')} to={GROUP_PATH}>
            新增分组
          </Link>
        </Permit>
      </header>
      <div className={styles.tools}>
        <ListSearch placeholder="分组标签" value={word} onChange={setWord} />
      </div>
      {tabs}
      {groups.isError ? (
        <LoadFailure error={groups.error} onRetry={() => void groups.refetch()} />
      ) : groups.data ? (
        <Cards groups={withTag(groups.data.rows, word)} onRemove={deeds.removeGroup} />
      ) : (
        <LoadingLines lines={10} />
      )}
    </div>
  )
}

type CardsProps = { groups: readonly GroupRow[]; onRemove: (group: GroupRow) => void }

function Cards({ groups, onRemove }: CardsProps) {
  if (groups.length === 0) return <EmptyState title="暂无数据" />
  return (
    <ul className={styles.cards} aria-label="小票信息分组">
      {groups.map(group => (
        <li key={group.id} className={styles.card}>
          <Card group={group} onRemove={() => onRemove(group)} />
        </li>
      ))}
    </ul>
  )
}

function Card({ group, onRemove }: { group: GroupRow; onRemove: () => void }) {
  const { id, name, section, tags, remarks, items, updatedByName, updatedAt } = group
  const shown = items.filter(item => item.required)
  return (
    <>
      <h2 className={styles.cardTitle} data-tip-cut>
        {name}
      </h2>
      <p className={styles.tags}>
        {name !== SECTIONS[section] && <span className={styles.tag}>{SECTIONS[section]}</span>}
        {tagsOf(tags).map(tag => (
          <span key={tag} className={styles.tag}>
            {tag}
          </span>
        ))}
      </p>
      {remarks && <p className={look.quiet}>{remarks}</p>}
      <p className={styles.cardItems}>
        {items.length} 项内容
        {shown.length > 0 &&
          `，必显：${shown.map(item => item.label || catalogueItem(item.id)?.name).join('、')}`}
      </p>
      <footer className={styles.cardFoot}>
        <span className={look.quiet}>
          {updatedByName} {formatInstant(updatedAt)}
        </span>
        <Permit permission="receipts.edit">
          <Link className={buttonLook('link')} to={GROUP_PATH} search={{ id }} aria-label={`编辑${name}`}>
            编辑
          </Link>
          <Button kind="link" changes aria-label={`删除${name}`} onClick={onRemove}>
            删除
          </Button>
        </Permit>
      </footer>
    </>
  )
}
