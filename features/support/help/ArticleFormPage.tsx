import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { useNavigate, usePageSearch } from '#web/client/navigation.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { ActionBar } from '#web/form/ActionBar.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { useUploads } from '#web/form/files/uploads.ts'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { useLeaveGuard } from '#web/form/leave.ts'
import { TouchControls } from '#web/form/TouchControls.tsx'
import { useForm } from '#web/form/useForm.ts'
import { ArticleFields, type Draft } from './ArticleFields.tsx'
import styles from './help.module.css'
import { type HelpEdited, helpApi, LIST_PATH } from './helpApi.tsx'
import { brokenIn, HELP_REFUSALS } from './rules.ts'

/** A new article, or one that is there (`?id=`). */
export default function ArticleFormPage() {
  const [asked] = usePageSearch<'/admin/help/article'>()
  const id = Number(asked.id) || 0
  const categories = useQuery(helpApi.categories.query())
  const article = useQuery({ ...helpApi.details.query({ id }), enabled: id > 0 })
  const failed = [categories, article].find(query => query.isError)
  const isWaiting = !categories.data || article.isLoading
  return (
    <TouchControls>
      <div className={`${look.page} ${styles.formPage}`}>
        <h1 className={look.pageTitle}>{id > 0 ? '编辑帮助' : '新增帮助'}</h1>
        {failed ? (
          <LoadFailure error={failed.error} onRetry={() => void failed.refetch()} />
        ) : isWaiting ? (
          <LoadingLines lines={12} />
        ) : (
          <Edit
            key={`${id} ${article.data?.revision}`}
            article={article.data ?? null}
            categories={categories.data?.rows ?? []}
          />
        )}
      </div>
    </TouchControls>
  )
}

type EditProps = { article: HelpEdited | null; categories: { id: number; name: string }[] }

function Edit({ article, categories }: EditProps): ReactNode {
  const navigate = useNavigate()
  const uploads = useUploads()
  const publishes = useRef(false)
  // No fields: rich text with pictures, a video and the pages that it explains.
  const form = useForm<Draft>({
    initial: draftOf(article),
    judge: draft => [
      ...brokenIn(draft).map(({ code, field }) => ({ field, message: HELP_REFUSALS[code] })),
      ...[uploads.broken()].filter(broken => broken !== null),
    ],
    send: async (draft, idempotencyKey) => {
      const ids = { id: article?.id ?? null, revision: article?.revision ?? null }
      const { id } = await helpApi.save({ ...draft, ...ids }, { idempotencyKey })
      if (publishes.current) await helpApi.setState({ id, step: 'publish' })
    },
    onDone: () => {
      toast.success(publishes.current ? '已发布' : '保存成功')
      void navigate({ to: LIST_PATH, replace: true })
    },
  })
  useLeaveGuard(form.isUnsaved)
  const isDraft = article?.state !== 'published'
  const submit = (publish: boolean) => {
    publishes.current = publish
    void form.submit()
  }
  return (
    <FormElement onSubmit={() => submit(isDraft)}>
      <ArticleFields form={form} article={article} categories={categories} uploads={uploads} />
      <p className={styles.message} role="alert">
        {form.message}
      </p>
      <ActionBar>
        <Button onClick={() => void navigate({ to: LIST_PATH })}>返回列表</Button>
        {isDraft && (
          <Button busy={form.busy && !publishes.current} onClick={() => submit(false)}>
            保存草稿
          </Button>
        )}
        <Button kind="primary" type="submit" busy={form.busy}>
          {isDraft ? '保存并发布' : '保存'}
        </Button>
      </ActionBar>
    </FormElement>
  )
}

function draftOf(article: HelpEdited | null): Draft {
  if (!article)
    return {
      ...{ kind: 'flow', title: '', categoryId: null, version: '', releasedOn: null },
      ...{ videoId: null, videoUrl: '', pages: [], body: '' },
    }
  const { kind, title, categoryId, version, releasedOn, videoId, videoUrl, pages, body } = article
  return { kind, title, categoryId, version, releasedOn, videoId, videoUrl, pages, body }
}
