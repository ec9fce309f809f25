import { useMutation } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import type { SearchOf } from '#kit/declare/pages.ts'
import { pictureAddress } from '#kit/picture.ts'
import { refusalOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { usePageTitle } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { List } from '#web/list/List.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import styles from './content.module.css'
import type { ContentRow } from './contract.ts'
import { CAROUSEL, NOTICES } from './fields.ts'
import { CONTENT_KIND_KEYS, CONTENT_KINDS, type ContentKind, summaryOf } from './rules.ts'
import { contentApi } from './Shown.tsx'

const ContentDialog = lazy(() => import('./ContentDialog.tsx'))
const CarouselOrder = lazy(() => import('./CarouselOrder.tsx'))

type Params = SearchOf<'/admin/operations/content'>
type Open = { what: 'edit'; row: ContentRow | null } | { what: 'order' }

const LISTS = { carousel: CAROUSEL, notice: NOTICES }

/** What staff tell all partners: a list for each kind, edited in a dialog. */
export default function ContentPage() {
  const [params] = useListParams<Params>()
  const kind = CONTENT_KIND_KEYS.find(known => known === params.kind) ?? 'carousel'
  const [open, setOpen] = useState<Open | null>(null)
  const turn = useSwitch()
  const history = useHistory()
  const close = () => setOpen(null)
  const add = (
    <>
      {kind === 'carousel' && (
        <Button changes onClick={() => setOpen({ what: 'order' })}>
          调整顺序
        </Button>
      )}
      <Button kind="primary" onClick={() => setOpen({ what: 'edit', row: null })}>
        {`新增${CONTENT_KINDS[kind]}`}
      </Button>
    </>
  )
  return (
    <>
      <List
        of={LISTS[kind]}
        from={contentApi.list}
        asking={{ kind }}
        cells={CELLS}
        main={<span className={styles.contentMain}>{add}</span>}
        summary={() => <Kinds kind={kind} />}
        onOpen={row => setOpen({ what: 'edit', row })}
        rowActions={row => [
          { key: 'edit', label: '编辑', onClick: () => setOpen({ what: 'edit', row }) },
          { key: 'turn', label: row.enabled ? '停用' : '启用', onClick: () => void turn(row) },
          ...history.actionsOf({ kind: 'content', id: row.id, name: row.title }),
        ]}
        actionsWidth={168}
      />
      {history.drawer}
      <Suspense>
        {open?.what === 'edit' && <ContentDialog kind={kind} row={open.row} onClose={close} />}
        {open?.what === 'order' && <CarouselOrder onClose={close} />}
      </Suspense>
    </>
  )
}

/** The way to the other kinds; each has its own address. */
function Kinds({ kind }: { kind: ContentKind }) {
  const [, setParams] = useListParams<Params>()
  return (
    <span className={styles.contentKinds}>
      {CONTENT_KIND_KEYS.map(known => (
        <button
          key={known}
          type="button"
          aria-pressed={known === kind}
          onClick={() => setParams({ kind: known === 'carousel' ? undefined : known, search: undefined })}
        >
          {CONTENT_KINDS[known]}
        </button>
      ))}
    </span>
  )
}

/** Taken away from all partners at once, so it is asked for; shown again without a question. */
function useSwitch(): (row: ContentRow) => Promise<void> {
  const change = useMutation({
    mutationFn: ({ id, enabled }: ContentRow) => contentApi.setEnabled({ id, enabled: !enabled }),
    onSuccess: (_answer, row) => toast.success(row.enabled ? '已停用' : '已启用'),
    onError: error => toast.error(refusalOf(error)?.message ?? '操作失败'),
    onSettled: (_answer, error) => (error ? readAgain('content') : reread()),
  })
  return async row => {
    if (change.isPending) return
    const question = {
      title: `停用「${row.title}」？`,
      text: '停用后所有代理商都看不到它，可以再次启用',
      confirmText: '停用',
    }
    if (!row.enabled || (await confirm(question))) change.mutate(row)
  }
}

function State({ row }: { row: ContentRow }) {
  if (!row.enabled) return <StatusTag tone="neutral">已停用</StatusTag>
  const isPublished = Date.parse(row.publishedAt) <= Date.now()
  return isPublished ? '展示中' : <StatusTag tone="attention">待发布</StatusTag>
}

const CELLS = {
  picture: {
    copy: undefined,
    render: (row: ContentRow) =>
      row.pictureId && (
        <img
          className={styles.contentPicture}
          src={pictureAddress(row.pictureId)}
          alt={row.title}
          loading="lazy"
        />
      ),
  },
  enabled: { copy: undefined, render: (row: ContentRow) => <State row={row} /> },
  body: (row: ContentRow) => summaryOf(row.body) || '—',
  link: { copy: (row: ContentRow) => row.link, render: (row: ContentRow) => <Leads link={row.link} /> },
}

/** The page that an entry leads to, by its name; its address is the tooltip. */
function Leads({ link }: { link: string }) {
  const title = usePageTitle(link)
  return link === '' ? '—' : <span data-tip={link}>{title ?? link}</span>
}
