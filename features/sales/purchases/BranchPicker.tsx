import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { REFUSALS, refuseDisabled } from '#features/shops/merchants/rules.ts'
import { LIMITS } from '#features/shops/versions/rules.ts'
import { formatCount } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { Instant } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import type { ControlProps } from '#web/form/Field.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { ListSearch } from '#web/list/ListSearch.tsx'
import type { purchases } from './contract.ts'
import type { Branch } from './PurchaseDraft.tsx'
import styles from './purchases.module.css'

const purchasesApi = api<typeof purchases>('purchases')

const SIZE = 10
const WHOLE_SIZE = 100

type Props = Partial<ControlProps> & {
  merchantId: number
  chosen: readonly Branch[]
  onChange: (chosen: readonly Branch[]) => void
}

/** Branches of a head shop to choose from, page by page, each with its expiry (obtainChainStoreBranches). */
export function BranchPicker({ merchantId, chosen, onChange, ...control }: Props) {
  const [search, setSearch] = useState<string>()
  const [page, setPage] = useState(1)
  const asked = { merchantId, search, page, size: SIZE }
  const branches = useQuery({
    ...purchasesApi.branches.query(asked),
    placeholderData: keepPreviousData,
  })
  const all = useMutation({
    mutationFn: () => everyBranch(merchantId, search),
    onSuccess: found => {
      const open = found.filter(branch => refuseDisabled(branch.status) === null)
      onChange(united(chosen, open))
      if (open.length < found.length) toast.info(`已跳过 ${found.length - open.length} 家已禁用的分店`)
    },
  })
  const answer = branches.data
  return (
    <fieldset
      id={control.id}
      aria-label="分店"
      aria-describedby={control['aria-describedby']}
      className={styles.branches}
      data-invalid={control['aria-invalid'] || undefined}
    >
      <div className={styles.branchesHead}>
        <ListSearch
          placeholder="分店名称 / 账号 / ID"
          value={search ?? ''}
          onChange={text => {
            setSearch(text || undefined)
            setPage(1)
          }}
        />
        <Button busy={all.isPending} disabled={!answer || answer.total === 0} onClick={() => all.mutate()}>
          {search === undefined ? '全选' : '选择搜索结果'}
        </Button>
        <Button kind="quiet" disabled={chosen.length === 0} onClick={() => onChange([])}>
          清空
        </Button>
        <span className={styles.branchesCount} aria-live="polite">
          已选 <b>{formatCount(chosen.length)}</b> 家
        </span>
      </div>
      {branches.isError ? (
        <LoadFailure error={branches.error} onRetry={() => void branches.refetch()} />
      ) : !answer ? (
        <LoadingLines lines={4} />
      ) : answer.rows.length === 0 ? (
        <p className={styles.branchesNone}>
          {search === undefined ? '该总店还没有分店' : '没有符合条件的分店'}
        </p>
      ) : (
        <ul aria-busy={branches.isFetching}>
          {answer.rows.map(branch => (
            <BranchRow
              key={branch.id}
              branch={branch}
              checked={chosen.some(one => one.id === branch.id)}
              onChange={checked =>
                onChange(checked ? united(chosen, [branch]) : chosen.filter(one => one.id !== branch.id))
              }
            />
          ))}
        </ul>
      )}
      {answer && answer.total > SIZE && (
        <Pages page={page} pages={Math.ceil(answer.total / SIZE)} total={answer.total} onPage={setPage} />
      )}
    </fieldset>
  )
}

type RowProps = { branch: Branch; checked: boolean; onChange: (checked: boolean) => void }

function BranchRow({ branch, checked, onChange }: RowProps) {
  const lock = refuseDisabled(branch.status)
  return (
    <li>
      <label
        className={styles.branch}
        data-tip={lock ? REFUSALS[lock] : undefined}
        data-locked={lock !== null || undefined}
      >
        <input
          type="checkbox"
          checked={checked}
          disabled={lock !== null}
          onChange={event => onChange(event.target.checked)}
        />
        <span className={styles.branchName}>
          {branch.shopName}
          {lock && <span className={look.visuallyHidden}>：{REFUSALS[lock]}</span>}
        </span>
        <span className={`${styles.branchId} ${look.quiet}`}>ID {branch.id}</span>
        <span className={styles.branchExpiry}>
          <Instant at={branch.expiresAt} none="永久" />
        </span>
      </label>
    </li>
  )
}

type PagesProps = { page: number; pages: number; total: number; onPage: (page: number) => void }

function Pages({ page, pages, total, onPage }: PagesProps) {
  return (
    <div className={styles.branchesPages}>
      <span className={look.quiet}>共 {formatCount(total)} 家</span>
      <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
        上一页
      </Button>
      <span aria-live="polite">
        第 {page} / {pages} 页
      </span>
      <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
        下一页
      </Button>
    </div>
  )
}

async function everyBranch(merchantId: number, search: string | undefined): Promise<Branch[]> {
  const found: Branch[] = []
  for (let page = 1; found.length < LIMITS.branchesMax; page += 1) {
    const answer = await purchasesApi.branches({ merchantId, search, page, size: WHOLE_SIZE })
    found.push(...answer.rows)
    if (answer.rows.length < WHOLE_SIZE) break
  }
  return found.slice(0, LIMITS.branchesMax)
}

function united(chosen: readonly Branch[], more: readonly Branch[]): Branch[] {
  const known = new Set(chosen.map(branch => branch.id))
  return [...chosen, ...more.filter(branch => !known.has(branch.id))]
}
