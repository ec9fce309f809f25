import { useMutation, useQuery } from '@tanstack/react-query'
import { messageOf } from '#web/client/api.ts'
import { usePageSearch } from '#web/client/navigation.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { Instant } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { toast } from '#web/controls/toast.ts'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { ListSearch } from '#web/list/ListSearch.tsx'
import styles from './categories.module.css'
import { categoriesApi } from './programCategoriesApi.tsx'
import { alternativesOf, LIST_SOURCES, lackingOf, type OfferedCategory, placedOf, wayTo } from './rules.ts'

/** D2 §3, D3 §3: the categories that a mini program may have, and the papers that each wants. */
export default function CategoriesPage() {
  const [{ search = '' }, ask] = usePageSearch<'/admin/schedule/appletCategories'>()
  const data = useQuery(categoriesApi.list.query())
  const refresh = useMutation({
    mutationFn: () => categoriesApi.refresh({ seen: data.data?.id ?? 0 }),
    onSuccess: ({ categories }) => {
      toast.success(`已更新，共 ${categories} 个类目`)
      return reread()
    },
    onError: error => {
      toast.error(messageOf(error))
      readAgain('programCategories')
    },
  })
  return (
    <article className={`${look.page} ${styles.page}`}>
      <header className={styles.head}>
        <h1 className={look.pageTitle}>小程序类目</h1>
        <Permit permission="programCategories.refresh">
          <Button changes busy={refresh.isPending} onClick={() => refresh.mutate()}>
            从微信平台更新
          </Button>
        </Permit>
      </header>
      <ListSearch
        placeholder="类目 / 资质名称"
        value={search}
        onChange={typed => ask({ search: typed || undefined })}
      />
      {data.isError && !data.data ? (
        <LoadFailure error={data.error} onRetry={() => void data.refetch()} />
      ) : data.data ? (
        <Shown {...data.data} search={search} />
      ) : (
        <LoadingLines lines={10} />
      )}
    </article>
  )
}

type Props = {
  source: keyof typeof LIST_SOURCES
  takenAt: string
  takenByName: string
  categories: readonly OfferedCategory[]
  search: string
}

function Shown({ source, takenAt, takenByName, categories, search }: Props) {
  const lacking = lackingOf(categories)
  const groups = groupsOf(categories, search)
  return (
    <>
      <p className={look.quiet}>
        清单来源：{LIST_SOURCES[source]}，<Instant at={takenAt} /> {takenByName}
        {source === 'builtIn' && lacking.length > 0 && (
          <>。内置清单不含：{lacking.join('、')}；由平台工作人员从微信平台更新后可选</>
        )}
      </p>
      {groups.length === 0 && <p className={look.quiet}>没有符合条件的类目</p>}
      {groups.map(({ first, rows }) => (
        <section key={first.id} className={styles.group}>
          <h2>{first.name}</h2>
          <ul>
            {rows.map(({ category, name }) => (
              <li key={category.id}>
                <b>{name}</b>
                <Papers category={category} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

function Papers({ category }: { category: OfferedCategory }) {
  const alternatives = alternativesOf(category)
  if (alternatives.length === 0) return <span className={look.quiet}>无需资质</span>
  return (
    <ol>
      {alternatives.map((names, at) => (
        <li key={names.join()}>
          {alternatives.length > 1 && <span className={look.quiet}>方案 {at + 1}：</span>}
          {names.join('、')}
        </li>
      ))}
    </ol>
  )
}

type Row = { category: OfferedCategory; name: string }

/** By first level, those whose name or papers hold what is sought. */
function groupsOf(categories: readonly OfferedCategory[], search: string) {
  const placed = placedOf(categories)
  const sought = search.toLowerCase()
  const rows = placed.flatMap((category): (Row & { first: OfferedCategory })[] => {
    const way = wayTo(placed, category.id)
    const first = way?.[0]
    if (!way || !first) return []
    const names = way.map(({ name }) => name)
    const told = [...names, ...alternativesOf(category).flat()].join(' ').toLowerCase()
    return told.includes(sought) ? [{ category, first, name: names.slice(1).join(' / ') }] : []
  })
  return [...Map.groupBy(rows, ({ first }) => first)].map(([first, found]) => ({ first, rows: found }))
}
