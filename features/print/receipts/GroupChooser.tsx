import { useState } from 'react'
import type { Sheet } from '#kit/print/receipt.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { EmptyState } from '#web/form/LoadStates.tsx'
import { ListSearch } from '#web/list/ListSearch.tsx'
import styles from './receipts.module.css'
import type { GroupRow } from './receiptsApi.tsx'
import { placingMessage, refusePlacing, tagsOf, withTag } from './rules.ts'
import type { Placing } from './useReceiptDraft.tsx'

type Props = { groups: readonly GroupRow[]; sheet: Sheet; placing: Placing }

/** The groups that there are, found by their tags, to be put on the sheet. */
export function GroupChooser({ groups, sheet, placing }: Props) {
  const [word, setWord] = useState('')
  const found = withTag(groups, word)
  return (
    <>
      <ListSearch placeholder="分组标签" value={word} onChange={setWord} />
      {found.length === 0 ? (
        <EmptyState title="暂无分组信息" />
      ) : (
        <ul className={styles.chooser} aria-label="可添加的信息分组">
          {found.map(group => {
            const code = refusePlacing(group, placing.placed, sheet)
            return (
              <li key={group.id}>
                <span>
                  <b>{group.name}</b>
                  <small className={look.quiet}>{tagsOf(group.tags).join('、') || '没有标签'}</small>
                </span>
                <Button
                  aria-label={`添加${group.name}`}
                  disabled={code && placingMessage(code, group.name)}
                  onClick={() => placing.add(group)}
                >
                  添加
                </Button>
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}
