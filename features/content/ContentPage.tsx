import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Out } from '#kit/op.ts'
import { refusalOf } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { confirm } from '#web/confirm.ts'
import { Instant } from '#web/format.tsx'
import { type ListColumn, ListPage } from '#web/list/ListPage.tsx'
import { type ListParams, useListParams } from '#web/list/useListParams.ts'
import { look } from '#web/look.ts'
import { StatusTag } from '#web/StatusTag.tsx'
import { toast } from '#web/toast.ts'
import { pictureAddress } from '#web/uploads.ts'
import styles from './content.module.css'
import type { content } from './contract.ts'
import { CONTENT_KIND_KEYS, CONTENT_KINDS, type ContentKind, summaryOf } from './rules.ts'
import { contentApi } from './Shown.tsx'

const ContentDialog = lazy(() => import('./ContentDialog.tsx'))
const OrderDialog = lazy(() => import('./OrderDialog.tsx'))

export type ContentRow = Out<typeof content.list>['rows'][number]
type Params = ListParams & { kind?: ContentKind }
type Open = { what: 'edit'; row: ContentRow | null } | { what: 'order' }

const EMPTY_TEXTS: Record<ContentKind, string> = {
  carousel: '还没有轮播图，新增后显示在所有代理商的首页',
  notice: '还没有系统公告，新增后显示在所有代理商的首页',
  release: '还没有更新日志，新增后显示在所有代理商的首页',
}

/** What staff tell all partners: a list for each kind, edited in a dialog. */
export default function ContentPage() {
  const [params] = useListParams<Params>()
  const kind = CONTENT_KIND_KEYS.find(known => known === params.kind) ?? 'carousel'
  const [open, setOpen] = useState<Open | null>(null)
  const turn = useSwitch()
  const close = () => setOpen(null)
  const add = (
    <>
      {kind === 'carousel' && <Button onClick={() => setOpen({ what: 'order' })}>调整顺序</Button>}
      <Button kind="primary" onClick={() => setOpen({ what: 'edit', row: null })}>
        {`新增${CONTENT_KINDS[kind]}`}
      </Button>
    </>
  )
  return (
    <>
      <ListPage<ContentRow, Params>
        title="内容管理"
        listKey={`content.${kind}`}
        main={<span className={styles.contentMain}>{add}</span>}
        queryKey={['content', 'list', kind]}
        fetchPage={({ sort: _sort, order: _order, ...wanted }) => contentApi.list({ ...wanted, kind })}
        ownParams={['kind']}
        rowKey={row => row.id}
        columns={kind === 'carousel' ? CAROUSEL_COLUMNS : TEXT_COLUMNS}
        searchPlaceholder="标题 / 正文"
        summary={() => <Kinds kind={kind} />}
        emptyText={EMPTY_TEXTS[kind]}
        onOpen={row => setOpen({ what: 'edit', row })}
        rowActions={row => [
          { key: 'edit', label: '编辑', onClick: () => setOpen({ what: 'edit', row }) },
          { key: 'turn', label: row.enabled ? '停用' : '启用', onClick: () => void turn(row) },
        ]}
        actionsWidth={112}
      />
      <Suspense>
        {open?.what === 'edit' && <ContentDialog kind={kind} row={open.row} onClose={close} />}
        {open?.what === 'order' && <OrderDialog onClose={close} />}
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
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: ({ id, enabled }: ContentRow) => contentApi.setEnabled({ id, enabled: !enabled }),
    onSuccess: (_answer, row) => toast.success(row.enabled ? '已停用' : '已启用'),
    onError: error => toast.error(refusalOf(error)?.message ?? '操作失败'),
    onSettled: () => queries.invalidateQueries({ queryKey: ['content'] }),
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
  return isPublished ? (
    <StatusTag tone="done">展示中</StatusTag>
  ) : (
    <StatusTag tone="attention">待发布</StatusTag>
  )
}

const TITLE: ListColumn<ContentRow> = {
  key: 'title',
  title: '标题',
  width: 208,
  opens: true,
  copy: row => row.title,
  render: row => row.title,
  card: 'title',
}
const STATE: ListColumn<ContentRow> = {
  key: 'enabled',
  title: '状态',
  width: 80,
  render: row => <State row={row} />,
  card: 'fact',
}
const PUBLISHED: ListColumn<ContentRow> = {
  key: 'publishedAt',
  title: '发布时间',
  width: 160,
  render: row => <Instant at={row.publishedAt} />,
  card: 'fact',
}
const BY: ListColumn<ContentRow>[] = [
  { key: 'createdByName', title: '创建人', width: 80, render: row => row.createdByName },
  { key: 'updatedAt', title: '修改时间', width: 160, render: row => <Instant at={row.updatedAt} /> },
]
const LINK: ListColumn<ContentRow> = {
  key: 'link',
  title: '链接',
  width: 176,
  copy: row => row.link,
  render: row => row.link || '—',
}
const bodyColumn = (title: string): ListColumn<ContentRow> => ({
  key: 'body',
  title,
  width: 248,
  copy: row => row.body,
  render: row => summaryOf(row.body) || '—',
})

const CAROUSEL_COLUMNS: ListColumn<ContentRow>[] = [
  {
    key: 'picture',
    title: '图片',
    width: 104,
    fixed: 'start',
    render: row =>
      row.pictureId ? (
        <img
          className={styles.contentPicture}
          src={pictureAddress(row.pictureId)}
          alt={row.title}
          loading="lazy"
        />
      ) : (
        <span className={look.quiet}>无图</span>
      ),
  },
  { ...TITLE, width: 176 },
  STATE,
  { ...bodyColumn('说明'), width: 176 },
  LINK,
  PUBLISHED,
  ...BY,
]
const TEXT_COLUMNS: ListColumn<ContentRow>[] = [TITLE, STATE, PUBLISHED, bodyColumn('正文'), LINK, ...BY]
